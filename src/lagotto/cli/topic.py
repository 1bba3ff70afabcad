"""`lagotto topic`: weight tables, vocabularies and networks, built, shown, listed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import msgspec

from lagotto.base.errors import InputError
from lagotto.base.svg import FONT, Frame, Point, document, grid, line, shape, spread_apart, text
from lagotto.cli import counted, printable
from lagotto.cli.train import held_out_lines
from lagotto.focus.topic import (
    Library,
    Network,
    QueryTable,
    TopicPages,
    Vocabularies,
    WeightTable,
    build_vocabularies,
    describe,
    read_folder,
    read_query_log,
    table_from_words,
    words_typed,
)
from lagotto.focus.topic.history import KIND, TableVersion, changes, read_versions, spread
from lagotto.focus.topic.tfidf import Idf
from lagotto.parse.page import parse_page
from lagotto.store import storage_at

COLUMNS = 6
"""Versions that are shown beside each other."""
COLOURS = (
    *("#0b62c4", "#c8450b", "#127a4b", "#7d3bd1", "#a06800", "#c2256b"),
    *("#08808f", "#71513c", "#55730b", "#4a55a8", "#6f757d", "#a3361b"),
)
LINES = len(COLOURS)
"""Keywords that are drawn."""
WIDTH, HEIGHT = 900, 500
LABEL_GAP = 15
STYLE = f"""
text {{ font: 13px {FONT}; fill: #262626; }}
.title {{ font-size: 16px; font-weight: 700; }}
.axis {{ fill: #767676; }}
.grid {{ stroke: #e6e6e6; fill: none; }}
.line {{ fill: none; stroke-width: 2; stroke-linejoin: round; }}
""" + "".join(
    f".line.k{number} {{ stroke: {colour}; }} .end.k{number} {{ fill: {colour}; }}\n"
    for number, colour in enumerate(COLOURS)
)


def say_history(versions: Sequence[TableVersion], top: int, *, as_json: bool) -> None:
    """Show what rose and fell."""
    if as_json:
        click.echo(msgspec.json.encode([_entry(version) for version in versions]))
        return
    for row in history_lines(versions, top):
        click.echo(printable(row))


def history_lines(versions: Sequence[TableVersion], top: int) -> Iterator[str]:
    """A line for each keyword: its weight in the versions, and whether it rose or fell."""
    last = versions[-1]
    count, pages = counted(len(versions), "version"), counted(last.pages, "page")
    yield f"{count} of the weight table ({last.table.source}), the last after {pages}"
    shown = spread(versions, COLUMNS)
    found = changes(shown)
    width = max([len("keyword"), *(len(change.keyword) for change in found[:top])])
    heads = "".join(f"{f'{version.pages:,} p.':>10}" for version in shown)
    yield f"{'keyword':<{width}}{heads}{'change':>10}"
    for change in found[:top]:
        cells = "".join(f"{weight:>10.4f}" if weight else f"{'-':>10}" for weight in change.weights)
        yield f"{change.keyword:<{width}}{cells}{change.difference:>+10.4f}  {change.word}".rstrip()
    if len(found) > top:
        yield f"... and {len(found) - top} more: give --top {len(found)}"
    if last.table.below:
        below = [f"{last.table.readable[term]} {weight:g}" for term, weight in last.table.below.items()]
        yield f"below the threshold: {', '.join(below[:top])}"


def draw_history(versions: Sequence[TableVersion]) -> str:
    """Weights of the heaviest keywords against the pages fetched, as an SVG document."""
    heaviest = sorted(changes(versions), key=lambda change: -max(change.weights))[:LINES]
    highest = max((max(change.weights) for change in heaviest), default=1.0)
    pages = [version.pages for version in versions]
    frame = Frame(WIDTH, HEIGHT, max(1, pages[-1]), 1.05 * highest, left=60, right=170, top=56, bottom=56)
    title = f"Weight table ({versions[-1].table.source})"
    parts = [text("title", "start", frame.left, 30, title), *grid(frame)]
    parts.append(text("axis", "middle", (frame.left + frame.plot_right) / 2, HEIGHT - 12, "pages fetched"))
    by_end = sorted(heaviest, key=lambda change: -change.weights[-1])
    places = spread_apart(
        [frame.y(change.weights[-1]) for change in by_end], LABEL_GAP, frame.plot_bottom + 4
    )
    for number, (change, place) in enumerate(zip(by_end, places, strict=True)):
        points = _steps([frame.x(page) for page in pages], [frame.y(weight) for weight in change.weights])
        parts.append(
            shape(f"line k{number}", line([*points, (frame.plot_right, points[-1][1])]), change.keyword)
        )
        parts.append(text(f"end k{number}", "start", frame.plot_right + 8, place + 4, change.keyword))
    return document(WIDTH, HEIGHT, title, STYLE, parts)


def _steps(x: Sequence[float], y: Sequence[float]) -> list[Point]:
    """Corners of a line that stays where it is until the next version."""
    points = [(x[0], y[0])]
    for at in range(1, len(x)):
        points += [(x[at], y[at - 1]), (x[at], y[at])]
    return points


def _entry(version: TableVersion) -> dict[str, object]:
    table = version.table
    return {
        "pages": version.pages,
        "source": table.source,
        "weights": {table.readable[term]: weight for term, weight in table.items()},
        "below": {table.readable[term]: weight for term, weight in table.below.items()},
    }


_save = click.option("--save", "name", help="Keep it under this name.")
_json = click.option("--json", "as_json", is_flag=True, help="One JSON object: keyword to weight.")
_language = click.option("--language", default="en", show_default=True, help="Language of the text.")
_phrase = click.option("--phrase", "phrases", multiple=True, help="Word sequence that counts as one term.")


@click.group()
def topic() -> None:
    """Build, show and list topics."""


@topic.command("from-queries")
@click.argument("log", type=click.Path(path_type=Path))
@click.option(
    "--alpha", type=float, default=0.5, show_default=True, help="Weight of the old table, up to 0.5."
)
@click.option("--threshold", type=float, default=1.0, show_default=True, help="Least weight of a keyword.")
@_phrase
@_language
@_save
@_json
def from_queries(
    log: Path,
    alpha: float,
    threshold: float,
    phrases: tuple[str, ...],
    language: str,
    name: str | None,
    as_json: bool,
) -> None:
    """Weigh the keywords of the queries in LOG by how many queries hold them."""
    table = QueryTable(alpha=alpha, threshold=threshold, language=language, phrases=phrases)
    read = read_query_log(log)
    table.rebuild(table.count(read.texts))
    if read.malformed:
        click.echo(f"{read.malformed} lines of {log} could not be read", err=True)
    if not read.texts:
        raise InputError(f"{log} holds no query")
    if not table.table:
        raise InputError(
            f"no keyword of {log} has a weight of {threshold:g} or more: give a lower --threshold"
        )
    finish(table.table, name, as_json)


@topic.command("from-pages")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--size", type=int, default=300, show_default=True, help="Keywords at most.")
@click.option(
    "--idf",
    type=click.Choice(["background", "topic"]),
    default="background",
    help="Where document frequencies come from: `topic` is the paper's literal form.",
)
@click.option("--vocabularies", is_flag=True, help="Vocabularies of sub-domains instead of a weight table.")
@click.option("--clusters", type=int, help="How many sub-domains (default: by the number of pages).")
@click.option(
    "--k", type=int, default=2, show_default=True, help="Sub-domains that a likeness averages over."
)
@click.option(
    "--min-occurrence", type=int, default=2, show_default=True, help="A word must occur more often than this."
)
@_language
@_save
@_json
def from_pages(
    folder: Path,
    size: int,
    idf: Idf,
    vocabularies: bool,
    clusters: int | None,
    k: int,
    min_occurrence: int,
    language: str,
    name: str | None,
    as_json: bool,
) -> None:
    """Weigh the keywords of the pages in FOLDER by TF·IDF."""
    documents = read_folder(folder, parse_page)
    if vocabularies:
        counts = [document.terms for document in documents]
        finish(
            build_vocabularies(
                counts, clusters=clusters, k=k, min_occurrence=min_occurrence, language=language
            ),
            name,
            as_json,
        )
        return
    pages = TopicPages(size=size, idf=idf, language=language)
    pages.add_documents(documents)
    finish(pages.table(), name, as_json)


@topic.command("from-words")
@click.argument("words", nargs=-1, required=True)
@_phrase
@_language
@_save
@_json
def from_words(
    words: tuple[str, ...], phrases: tuple[str, ...], language: str, name: str | None, as_json: bool
) -> None:
    """Weigh WORDS as they are; of several, one with a space in it is a phrase."""
    finish(table_from_words(words_typed(words), language=language, phrases=phrases), name, as_json)


@topic.command()
@click.argument("name")
@click.option(
    "--top", type=click.IntRange(1), default=20, show_default=True, help="Words of a crawl or network."
)
@click.option("--picture", type=click.Path(path_type=Path), help="SVG file to draw a crawl's weights to.")
@_json
def show(name: str, top: int, picture: Path | None, as_json: bool) -> None:
    """Show the topic or network saved under NAME, or how the weights of the crawl in NAME changed."""
    storage = storage_at(name)
    if not storage.exists():
        if picture is not None:
            raise InputError(f"there is no crawl in {name}; only the table of a crawl can be drawn")
        library = Library()
        if name in library.names("networks") and name not in library.names("topics"):
            say_network(library.network(name), top, as_json)
        else:
            say(library.topic(name), as_json)
        return
    with storage.reader() as reader:
        versions = read_versions(version.content for version in reader.versions(KIND))
    if not versions:
        raise InputError(f"the crawl in {name} has no weight table yet, or its strategy has none")
    say_history(versions, top, as_json=as_json)
    if picture is not None:
        save_picture(picture, draw_history(versions))


def save_picture(path: Path, drawn: str) -> None:
    """Write an SVG file."""
    if path.suffix != ".svg":
        raise InputError(f"cannot draw to {path}; the picture's name must end in .svg")
    try:
        path.write_text(drawn, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write the picture {path}: {error.strerror}") from None


@topic.command("list")
def list_command() -> None:
    """List all saved topics and networks."""
    everything = Library().list()
    for saved in everything:
        click.echo(printable(f"{saved.name:<20} {saved.kind:<14} {saved.summary}"))
    if not everything:
        click.echo("nothing is saved yet: give --save NAME to one of `lagotto topic from-...`", err=True)


def finish(topic: WeightTable | Vocabularies, name: str | None, as_json: bool) -> None:
    """Show what was built, and keep it if it has a name."""
    if name:
        Library().save_topic(name, topic)
    say(topic, as_json)


def say(topic: WeightTable | Vocabularies, as_json: bool) -> None:
    """A topic as lines or as JSON."""
    if as_json:
        content = (
            {topic.readable[term]: weight for term, weight in topic.items()}
            if isinstance(topic, WeightTable)
            else {"sub_domains": [sorted(vocabulary) for vocabulary in topic.sub_domains]}
        )
        click.echo(msgspec.json.encode(content))
    elif isinstance(topic, WeightTable):
        for term, weight in topic.items():
            click.echo(printable(f"{weight:8.4f}  {topic.readable[term]}"))
    else:
        for number, vocabulary in enumerate(topic.sub_domains, 1):
            click.echo(printable(f"{number}: {', '.join(sorted(vocabulary))}"))


def say_network(network: Network, top: int, as_json: bool) -> None:
    """How a network was trained, and which words are most relevant to it, each as the only one of a text."""
    alone = network.alone()
    if as_json:
        about = {name: getattr(network, name) for name in ("language", "trained_on", "settings", "held_out")}
        click.echo(msgspec.json.encode(about | {"features": alone}))
        return
    _, summary = describe(network)
    click.echo(f"network trained on {network.trained_on} in language {network.language}: {summary}")
    for sentence in held_out_lines(network):
        click.echo(sentence)
    click.echo(f"use it with --strategy neural --network {network.name}; relevance of one word alone:")
    for word, relevance in list(alone.items())[:top]:
        click.echo(printable(f"{relevance:8.4f}  {word}"))
