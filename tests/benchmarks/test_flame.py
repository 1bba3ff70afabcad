from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from flame import draw, read_stacks

LOOP = "main (a.py:1);Runner.run (asyncio/runners.py:80);"
STACKS = f"""{LOOP}Worker.run (lagotto/crawling/worker.py:9);judge (lagotto/focus/x.py:3) 30
{LOOP}Worker.run (lagotto/crawling/worker.py:12);commit (lagotto/store/y.py:5) 10
{LOOP}SocketIO.readinto (socket.py:4) 500
{LOOP}_find_and_load (importlib:1);exec_module (importlib:2) 500
main (a.py:1);something else (b.py:2) 500
"""


def test_stacks_begin_at_the_root_without_waiting_and_importing(tmp_path: Path) -> None:
    (tmp_path / "stacks").write_text(STACKS)
    tree = read_stacks(tmp_path / "stacks", "Runner.run ")
    assert tree.samples == 40
    (run,) = tree.callees.values()
    assert sorted(callee.samples for callee in run.callees.values()) == [10, 30]


def test_a_picture_comes_of_it(tmp_path: Path) -> None:
    (tmp_path / "stacks").write_text(STACKS)
    tree = read_stacks(tmp_path / "stacks", "Runner.run ")
    draw({"one process": tree, "another": tree}, tmp_path / "flame.svg")
    drawn = ElementTree.parse(tmp_path / "flame.svg")
    texts = list(drawn.getroot().itertext())
    assert {"one process", "another", "Worker.run 100 %", "judge 75 %", "commit 25 %"} <= set(texts)
