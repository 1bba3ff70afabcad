"""The same servers as for the tests of the API."""

from tests.web.conftest import demo, harvest, reading

__all__ = ["demo", "harvest", "reading"]
