from __future__ import annotations

from pathlib import Path

import figures
import pytest
import report
from figures import Aim, Figures, Picture, Table


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Output of the benchmarks, and a documentation folder, both empty."""
    (tmp_path / "docs" / "pictures").mkdir(parents=True)
    for module in (figures, report):
        monkeypatch.setattr(module, "OUTPUT", tmp_path)
    monkeypatch.setattr(report, "DOCS", tmp_path / "docs")
    return tmp_path


def run(name: str, found: str, picture: str = "") -> None:
    """What a benchmark does at its end."""
    figures.publish(
        Figures(
            name=name,
            sentences=[f"{name} took {found}."],
            aims=[Aim(f"aim of {name}", "under 5 s", found, reached=False)],
            tables=[Table(f"table of {name}", ["what", "s"], [["all", found]])],
            pictures=[Picture(picture, "A picture")] if picture else [],
        )
    )


def test_the_page_holds_what_every_run_found(folders: Path) -> None:
    (folders / "curve.png").write_bytes(b"picture")
    for name in ("throughput", "follow", "hosts", "patience", "start"):
        run(name, "7 s")
    run("growth", "8 s", "curve.png")
    run("store-1000", "9 s")
    run("store-20000", "11 s")
    report.main()
    page = (folders / "docs" / "performance.md").read_text()
    assert "{{" not in page
    assert page.count("| all | 7 s |") == 5
    assert "| aim of growth | under 5 s | 8 s | **no** |" in page
    assert "store-20000 took 11 s." in page
    assert "store-1000 " not in page
    assert (folders / "docs" / "pictures" / "curve.png").read_bytes() == b"picture"
    assert "| lagotto |" in page


def test_the_page_is_left_alone_when_a_benchmark_has_not_run(folders: Path) -> None:
    run("throughput", "7 s")
    with pytest.raises(SystemExit, match="no figures of store, follow, hosts, patience, growth, start"):
        report.main()
    assert not (folders / "docs" / "performance.md").exists()
