"""`lagotto demo`."""

from __future__ import annotations

import shutil
from pathlib import Path

import click
import uvloop
from rich.console import Console

from lagotto.base.errors import CrawlDirectoryError
from lagotto.crawling.config import Config
from lagotto.focus.registry import strategy_class
from lagotto.lab.demo.play import LEGEND, PAGES, TOPIC, comparison_table, draw_harvest, play
from lagotto.lab.demo.web import DemoWeb

_MARK = ".lagotto-demo"


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("demo-output"),
    show_default=True,
    help="Folder.",
)
@click.option("--topic", default=TOPIC, show_default=True, help="One of the demo web's topics.")
@click.option("--max-pages", type=int, default=PAGES, show_default=True, help="Pages of each crawl.")
@click.option(
    "--strategy", "strategies", multiple=True, help="Strategies (default: bfs and the default one)."
)
@click.option("--random-seed", type=int, default=1, show_default=True, help="Which web is made.")
def demo(output: Path, topic: str, max_pages: int, strategies: tuple[str, ...], random_seed: int) -> None:
    """Crawl a small web made on the spot, with and without a focus; no internet needed."""
    names = strategies or ("bfs", Config().strategy)
    for name in names:
        strategy_class(name)
    console = Console()
    with console.status("making a web of 3,000 pages on 60 hosts") as status:
        web = DemoWeb(random_seed)
        web.labels(topic)
        fresh_folder(output)

        def progress(name: str, pages: int) -> None:
            status.update(f"{name}: {pages} of {max_pages} pages")

        runs, relevant = uvloop.run(play(output, web, names, topic=topic, pages=max_pages, progress=progress))
    console.print(comparison_table(runs, relevant, f"{relevant} of the web's pages are about {topic}"))
    for line in LEGEND:
        click.echo(line)
    picture = output / "harvest.svg"
    draw_harvest(
        runs,
        relevant,
        picture,
        title=f"Pages about {topic}, found on the way",
        subtitle="a made-up web of 3,000 pages on 60 hosts, crawled over HTTP on loopback",
    )
    click.echo(f"picture: {picture}")
    click.echo(f"crawls:  {output}/{names[-1]} (try: lagotto status {output}/{names[-1]})")


def fresh_folder(folder: Path) -> None:
    """An empty folder; one that an earlier demo made is cleared, any other is left alone."""
    if folder.exists() and not folder.is_dir():
        raise CrawlDirectoryError(f"{folder} is not a folder; choose another one with -o")
    if folder.exists() and any(folder.iterdir()):
        if not (folder / _MARK).exists():
            raise CrawlDirectoryError(f"{folder} is not empty; choose another folder with -o")
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _MARK).touch()
