"""`lagotto train`."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10
from pathlib import Path
from typing import Any

import click
from rich.progress import BarColumn, TextColumn

from lagotto.base.errors import InputError
from lagotto.base.svg import FONT, Frame, document, line, shape, text, ticks
from lagotto.cli import progress_bar
from lagotto.focus.topic import MAX_EPOCHS, Library, Network, Settings, pieces, read_folder
from lagotto.focus.topic import train as train_network
from lagotto.focus.topic.features import FEATURES
from lagotto.focus.topic.training import Example
from lagotto.parse.page import parse_page

WIDTH, HEIGHT = 800, 450
STYLE = f"""
text {{ font: 13px {FONT}; fill: #262626; }}
.title {{ font-size: 16px; font-weight: 700; }}
.axis, .target-name {{ fill: #767676; }}
.grid {{ stroke: #e6e6e6; }}
.target {{ stroke: #888888; stroke-dasharray: 6 4; }}
.line {{ fill: none; stroke: #1b7f5c; stroke-width: 2.5; stroke-linejoin: round; }}
"""


def draw_error_curve(network: Network) -> str:
    """Mean square error after each epoch, on a logarithmic scale, as an SVG document."""
    target = network.settings.target_mse
    lowest = floor(log10(min(target, *network.curve)))
    highest = max(lowest + 1, ceil(log10(max(target, *network.curve))))
    frame = Frame(WIDTH, HEIGHT, len(network.curve), highest - lowest, left=80, right=30, top=56, bottom=56)
    parts = [text("title", "middle", WIDTH / 2, 32, f"Training of {network.name}")]
    for power in range(lowest, highest + 1):
        y = frame.y(power - lowest)
        parts.append(shape("grid", f"M{frame.left} {y}H{frame.plot_right}"))
        parts.append(text("axis", "end", frame.left - 8, y + 4, f"{10.0**power:g}"))
    for tick in ticks(frame.x_max):
        parts.append(text("axis", "middle", frame.x(tick), frame.plot_bottom + 20, f"{tick:,.0f}"))
    parts.append(text("", "middle", (frame.left + frame.plot_right) / 2, HEIGHT - 12, "epoch"))
    parts.append(text("", "start", 12, 44, "mean square error"))
    y = frame.y(log10(target) - lowest)
    parts.append(shape("target", f"M{frame.left} {y}H{frame.plot_right}"))
    parts.append(text("target-name", "start", frame.left + 6, y - 6, "target"))
    points = [
        (frame.x(epoch), frame.y(log10(error) - lowest)) for epoch, error in enumerate(network.curve, 1)
    ]
    parts.append(shape("line", line(points)))
    return document(WIDTH, HEIGHT, f"Training of {network.name}", STYLE, parts)


@click.command()
@click.argument("name")
@click.option("--relevant", required=True, type=click.Path(path_type=Path), help="Folder of pages on topic.")
@click.option(
    "--irrelevant", required=True, type=click.Path(path_type=Path), help="Folder of pages off topic."
)
@click.option("--hidden", type=int, default=50, show_default=True, help="Hidden nodes.")
@click.option("--rate", type=float, default=0.1, show_default=True, help="Learning rate.")
@click.option(
    "--mse", "target_mse", type=float, default=0.001, show_default=True, help="Mean square error to reach."
)
@click.option(
    "--max-epochs",
    type=int,
    help=f"Passes over the pages at most (default: {MAX_EPOCHS['pages']}, "
    f"with --contexts {MAX_EPOCHS['contexts']}).",
)
@click.option(
    "--features",
    type=int,
    default=FEATURES,
    show_default=True,
    help="Words chosen by mutual information.",
)
@click.option("--held-out", type=float, default=0.25, show_default=True, help="Share kept back for the test.")
@click.option("--contexts", is_flag=True, help="Train on pieces as short as a link's context.")
@click.option(
    "--random-seed", "seed", type=int, default=0, show_default=True, help="Seed of the first weights."
)
@click.option("--language", default="en", show_default=True, help="Language of the pages.")
@click.option("--picture", type=click.Path(path_type=Path), help="Error curve (default: NAME-error.svg).")
def train(
    name: str,
    relevant: Path,
    irrelevant: Path,
    max_epochs: int | None,
    held_out: float,
    contexts: bool,
    language: str,
    picture: Path | None,
    **settings: Any,
) -> None:
    """Train the network NAME to tell the pages of two folders apart, and keep it."""
    path = picture or Path(f"{name}-error.svg")
    trained_on = "contexts" if contexts else "pages"
    library = Library()
    library.check_network_name(name)
    check_picture(path)
    chosen = Settings(max_epochs=MAX_EPOCHS[trained_on] if max_epochs is None else max_epochs, **settings)
    columns = (
        TextColumn("epoch {task.completed:.0f}"),
        BarColumn(),
        TextColumn("error {task.fields[error]:.5f}"),
    )
    with progress_bar(*columns) as bar:
        task = bar.add_task("train", total=chosen.max_epochs, error=1.0)
        network = train_network(
            name,
            examples(relevant, language, contexts),
            examples(irrelevant, language, contexts),
            settings=chosen,
            held_out=held_out,
            language=language,
            trained_on=trained_on,
            progress=lambda epoch, error: bar.update(task, completed=epoch, error=error),
        )
    library.save_network(network)
    try:
        path.write_text(draw_error_curve(network), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write the picture {path}: {error.strerror}") from None
    report(network, path)


def examples(folder: Path, language: str, contexts: bool) -> Sequence[Example]:
    """Term counts of the pages in a folder, each whole or in pieces."""
    documents = read_folder(folder, parse_page)
    if contexts:
        return [pieces(document.text, language) for document in documents]
    return [document.terms for document in documents]


def report(network: Network, picture: Path) -> None:
    """How training went, and how well the network does on pages it has not seen."""
    click.echo(
        f"trained '{network.name}' in {len(network.curve)} epochs to an error of {network.curve[-1]:.5f}"
    )
    if not network.reached_target:
        click.echo(
            f"stopped at {len(network.curve)} epochs, above the target error of "
            f"{network.settings.target_mse:g}; give more with --max-epochs"
        )
    for sentence in held_out_lines(network):
        click.echo(sentence)
    click.echo(f"error curve: {picture}")


def held_out_lines(network: Network) -> list[str]:
    """How well a network did on examples that it had not seen; none if nothing was held out."""
    counts = network.held_out
    if counts is None:
        return []
    what = "pieces" if network.trained_on == "contexts" else "pages"
    return [
        f"held-out {what}: {counts.total} (true positives {counts.true_positive}, false positives "
        f"{counts.false_positive}, false negatives {counts.false_negative}, true negatives "
        f"{counts.true_negative})",
        f"precision {counts.precision:.3f}  recall {counts.recall:.3f}  accuracy {counts.accuracy:.3f}",
    ]


def check_picture(path: Path) -> None:
    """Refuse a picture that could not be written, before the training, which may take long."""
    if path.suffix != ".svg":
        raise InputError(f"cannot draw to {path}; the picture's name must end in .svg")
    if not path.parent.is_dir():
        raise InputError(f"cannot draw to {path}; there is no folder {path.parent}")
