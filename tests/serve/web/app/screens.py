"""The screens and tabs of the dashboard, read from its own lists."""

from __future__ import annotations

import re
from collections.abc import Callable

from lagotto.serve.web.sessions import FOLDER

APP = FOLDER / "app"
MAIN = APP / "main.js"
_screens = re.compile(r'^  \["(\w+)", "[^"]+", "\w", \w+\],$', re.MULTILINE).findall
_tabs = re.compile(r'^  \["(\w+)", "[^"]+"\],$', re.MULTILINE).findall
OF_NO_CRAWL = {"crawls", "start"}


def screens_in(main: str, source_of: Callable[[str], str]) -> dict[str, str]:
    """Name -> address of each screen, and of each of its tabs but the first, which the screen opens with."""
    found = {}
    for screen in _screens(main):
        address = f"#/{screen}" if screen in OF_NO_CRAWL else f"#/crawl/truffles/{screen}"
        found[screen] = address
        for tab in _tabs(source_of(screen))[1:]:
            found[f"{screen}-{tab}" if tab in found else tab] = f"{address}?tab={tab}"
    return found


SCREENS = screens_in(MAIN.read_text(), lambda screen: (APP / f"{screen}.js").read_text())
