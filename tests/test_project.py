"""What the project promises about itself: public names, declared and pinned dependencies, portable files."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import lagotto
from tests.conftest import PROJECT

PYPROJECT = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
CORE = {canonicalize_name(Requirement(line).name) for line in PYPROJECT["dependencies"]}
EXTRAS = {
    canonicalize_name(Requirement(line).name)
    for extra, lines in PYPROJECT["optional-dependencies"].items()
    for line in lines
    if extra != "dev"
}
BUILT_ON_EXTRAS = ("serve/connections.py", "serve/mcp/", "serve/web/", "store/postgres/")
"""Packages that are imported as a whole where they are used, so that their modules need not be careful."""
OWNERS = importlib.metadata.packages_distributions()
# Python 3.14 has `compression`, which older ones get from backports.
OWN = sys.stdlib_module_names | {"compression", "lagotto"}


def test_public_names_can_be_imported() -> None:
    assert len(lagotto.__all__) == len(set(lagotto.__all__))
    missing = [name for name in lagotto.__all__ if not hasattr(lagotto, name)]
    assert not missing


def test_changelog_tells_of_this_version() -> None:
    version = importlib.metadata.version("lagotto")
    assert version == PYPROJECT["version"]
    assert re.search(rf"^## {re.escape(version)}\b", (PROJECT / "CHANGELOG.md").read_text(), re.MULTILINE)


def distributions_imported(tree: ast.AST) -> Iterator[str]:
    """Names on PyPI of the third-party packages that the code imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            modules = [node.module or ""]
        else:
            continue
        for module in modules:
            root = module.partition(".")[0]
            if root not in OWN:
                yield canonicalize_name(OWNERS.get(root, [root])[0])


def source_trees() -> list[ast.Module]:
    return [ast.parse(path.read_text()) for path in (PROJECT / "src").rglob("*.py")]


def test_what_is_imported_is_declared_and_the_other_way_round() -> None:
    imported = {name for tree in source_trees() for name in distributions_imported(tree)}
    assert imported - CORE - EXTRAS == set()
    assert CORE - imported == set()


def top_level_imports(path: Path) -> Iterator[ast.Import | ast.ImportFrom]:
    for statement in ast.parse(path.read_text()).body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            yield statement


def test_extras_are_imported_only_where_they_are_used() -> None:
    sources = PROJECT / "src" / "lagotto"
    for path in sources.rglob("*.py"):
        if path.relative_to(sources).as_posix().startswith(BUILT_ON_EXTRAS):
            continue
        for statement in top_level_imports(path):
            assert not set(distributions_imported(statement)) & (EXTRAS - CORE), path
            modules = [statement.module or ""] if isinstance(statement, ast.ImportFrom) else []
            modules += [alias.name for alias in statement.names]
            whole = tuple(f"lagotto.{folder.replace('/', '.')}" for folder in BUILT_ON_EXTRAS)
            assert not [name for name in modules if f"{name}.".startswith(whole)], path


def test_every_requirement_is_pinned_to_a_version_that_it_allows() -> None:
    lines = (PROJECT / "constraints.txt").read_text().splitlines()
    pins = dict(line.split("==") for line in lines if not line.startswith("#"))
    extras = PYPROJECT["optional-dependencies"].values()
    for line in [*PYPROJECT["dependencies"], *(line for extra in extras for line in extra)]:
        requirement = Requirement(line)
        assert pins[canonicalize_name(requirement.name)] in requirement.specifier, line


def project_files() -> Iterator[Path]:
    """All text files of the project, but not what make has made."""
    for path in PROJECT.iterdir():
        if path.is_file() and path.name != ".git" and not path.name.startswith(".coverage"):
            yield path
    for folder in (".ci", "benchmarks", "docs", "scripts", "src", "tests"):
        for path in (PROJECT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts and path != Path(__file__):
                yield path


def test_no_file_depends_on_one_machine_or_one_registry() -> None:
    foreign = re.compile(
        rb"/work/(?:main|shared)|/root/|/home/\w|/opt/(?:pypi|wheels)"
        rb"|pypi\.org|pythonhosted\.org|npmjs\.org|deb\.debian\.org"
    )
    found = {
        str(path.relative_to(PROJECT)): match[0]
        for path in project_files()
        if (match := foreign.search(path.read_bytes()))
    }
    assert not found


def test_no_advice_to_install_from_an_index_where_lagotto_may_not_be() -> None:
    """Lagotto is installed from a checkout: advice names the packages that are missing, or the checkout."""
    pages = [PROJECT / "README.md", *(PROJECT / "docs").glob("*.md"), *(PROJECT / "src").rglob("*.py")]
    assert not [page for page in pages if re.search(r"pip install ['\"]?lagotto", page.read_text())]


def core_packages(name: str, extras: frozenset[str] = frozenset()) -> set[str]:
    """A package and all that it needs to be installed."""
    found = {name}
    for line in importlib.metadata.requires(name) or ():
        needed = Requirement(line)
        wanted = [{"extra": extra} for extra in ("", *extras)]
        if needed.marker is None or any(map(needed.marker.evaluate, wanted)):
            found |= core_packages(needed.name, frozenset(needed.extras))
    return found


def test_the_core_is_small() -> None:
    ours = [path for path in (PROJECT / "src").rglob("*") if path.is_file()]
    theirs = [
        Path(str(file.locate()))
        for package in core_packages("lagotto") - {"lagotto"}
        for file in importlib.metadata.files(package) or ()
    ]
    installed = {path for path in [*ours, *theirs] if path.suffix != ".pyc" and path.is_file()}
    assert sum(path.stat().st_size for path in installed) < 150_000_000
