"""The documentation is true: every option is described, every example can be run."""

from __future__ import annotations

import ast
import doctest
import importlib
import re
import runpy
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from tests.conftest import PROJECT

SOURCE = PROJECT / "src"
PAGES = [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *sorted((PROJECT / "docs").rglob("*.md"))]
WITH_EXAMPLES = [path for path in sorted(SOURCE.rglob("*.py")) if ">>> " in path.read_text()]


def commands() -> dict[tuple[str, ...], click.Command]:
    """Every command of the command line by the words that call it, such as ("lagotto", "topic", "show")."""
    found: dict[tuple[str, ...], click.Command] = {}

    def walk(words: tuple[str, ...], command: click.Command) -> None:
        found[words] = command
        if isinstance(command, click.Group):
            context = click.Context(command)
            for name in command.list_commands(context):
                child = command.get_command(context, name)
                assert child is not None
                walk((*words, name), child)

    walk(("lagotto",), importlib.import_module("lagotto.cli").lagotto)
    return found


def options(command: click.Command) -> set[str]:
    """All spellings of a command's options."""
    return {
        spelling
        for parameter in command.params
        if isinstance(parameter, click.Option) and not parameter.hidden
        for spelling in (*parameter.opts, *parameter.secondary_opts)
    }


def blocks(page: Path, language: str) -> Iterator[str]:
    """Code blocks of a page in one language."""
    for match in re.finditer(rf"^```{language}\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
        yield match[1]


def test_every_command_and_option_is_described() -> None:
    sections = re.split(r"^#+ ", (PROJECT / "docs" / "cli.md").read_text(), flags=re.MULTILINE)
    described = {section.partition("\n")[0].strip("` "): section for section in sections}
    missing = []
    for words, command in commands().items():
        section = described.get(" ".join(words), "")
        missing += [" ".join(words)] if not section else []
        missing += [
            f"{' '.join(words)} {option}"
            for option in sorted(options(command))
            if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", section)
        ]
    assert not missing


@pytest.mark.parametrize("name", ["cli", "option", "reason"])
def test_generated_pages_are_current(name: str) -> None:
    script = runpy.run_path(str(PROJECT / "scripts" / f"{name}_docs.py"))
    assert script["PAGE"].read_text() == script["page"](), "run `make docs`"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_in_examples_exist(page: Path) -> None:
    known = commands()
    for block in blocks(page, "console"):
        for line in re.findall(r"^\$ (lagotto .*?)(?<!\\)$", block.replace("\\\n", " "), re.MULTILINE):
            words = shlex.split(line, comments=True)
            name = next(tuple(words[:n]) for n in range(len(words), 0, -1) if tuple(words[:n]) in known)
            used = {word.partition("=")[0] for word in words[len(name) :] if re.match(r"--?[a-z]", word)}
            assert name != ("lagotto",) or len(words) == 1 or words[1].startswith("-"), line
            assert used <= options(known[name]) | {"--help", "--version"}, line


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_names_in_python_examples_exist(page: Path) -> None:
    for block in blocks(page, "python"):
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "lagotto":
                module = importlib.import_module(node.module or "")
                assert all(hasattr(module, alias.name) for alias in node.names), ast.unparse(node)
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == "lagotto"
            ):
                assert hasattr(importlib.import_module("lagotto"), node.attr), ast.unparse(node)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text())
    assert not [target for target in targets if not (page.parent / target).exists()]


def test_every_page_is_in_the_index() -> None:
    docs = PROJECT / "docs"
    index = (docs / "index.md").read_text()
    pages = [str(page.relative_to(docs)) for page in docs.rglob("*.md") if page.name != "index.md"]
    assert not [page for page in pages if f"]({page})" not in index]


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_docstring_examples_are_true(path: Path) -> None:
    name = ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0
