"""The demo web as a frozen web."""

from __future__ import annotations

from pathlib import Path

from lagotto.lab.demo import DemoWeb
from lagotto.lab.demo.web import freeze
from lagotto.lab.webs.web import FrozenWeb


def test_frozen_and_made_up_are_the_same(web: DemoWeb, tmp_path: Path) -> None:
    freeze(web, tmp_path / "demo.web")
    with FrozenWeb.open(tmp_path / "demo.web") as frozen:
        assert len(frozen) > len(web)
        for url in web.urls()[::50]:
            assert frozen.page(url) == web.page(url)
        assert frozen.get("http://mirror.example/") == web.get("http://mirror.example/")
        assert frozen.redirect("http://birds.example/moved/5") is None
        page = web.plan.pages[5]
        assert frozen.redirect(f"http://{page.site.host}/moved/5") == page.url
        assert frozen.robots("quiet-move.example") == web.robots("quiet-move.example")
        assert frozen.get("http://events.example/calendar/2024/01/") is not None
