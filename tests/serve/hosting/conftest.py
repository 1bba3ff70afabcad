"""The same servers as for the tests of the API."""

from tests.serve.web.conftest import demo, harvest, reading

__all__ = ["demo", "harvest", "reading"]
