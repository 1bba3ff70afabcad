"""`lagotto topic`: weight tables, vocabularies and networks, built, shown, listed."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from lagotto.cli import printable
from lagotto.cli.topic_history import draw_history, say_history
from lagotto.cli.train import held_out_lines
from lagotto.errors import InputError
from lagotto.parse.page import parse_page
from lagotto.store import storage_at
from lagotto.topic import (
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
from lagotto.topic.history import KIND, read_versions
from lagotto.topic.tfidf import Idf

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
    for line in held_out_lines(network):
        click.echo(line)
    click.echo(f"use it with --strategy neural --network {network.name}; relevance of one word alone:")
    for word, relevance in list(alone.items())[:top]:
        click.echo(printable(f"{relevance:8.4f}  {word}"))
