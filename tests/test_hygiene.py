"""Nothing that came over a network or out of a crawl directory is run, unpickled or imported by its name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.conftest import PROJECT

SOURCE = PROJECT / "src" / "lagotto"
FORBIDDEN_MODULES = {
    "cloudpickle",
    "code",
    "dill",
    "imp",
    "joblib",
    "marshal",
    "pickle",
    "pkgutil",
    "runpy",
    "shelve",
    "yaml",
}
RUNNING = {"eval", "exec", "compile", "__import__"}
"""Built-in functions that run text as code."""
LOADING = {"import_module", "entry_points", "exec_module", "load_module", "system", "popen"}
ALLOWED = {
    "__init__.py import_module": "names of a table in that file: the public interface, imported when used",
    "cli/__init__.py import_module": "names of a table in that file: the commands",
    "focus/registry.py import_module": "names of a table in that file: the built-in strategies",
    "focus/registry.py entry_points": "strategies of packages that were installed; a name only chooses one",
    "store/locations.py entry_points": "stores of packages that were installed; a scheme only chooses one",
}
"""Place -> why what is loaded there cannot be chosen from outside."""


def found_in(tree: ast.AST) -> Iterator[str]:
    """Names of what loads or runs code."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.partition(".")[0] in FORBIDDEN_MODULES)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in FORBIDDEN_MODULES:
            yield node.module or ""
        elif isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in LOADING or (name in RUNNING and isinstance(node.func, ast.Name)):
                yield name
            for keyword in node.keywords:
                if keyword.arg in ("allow_pickle", "shell") and ast.unparse(keyword.value) != "False":
                    yield f"{keyword.arg}={ast.unparse(keyword.value)}"


def test_code_is_loaded_only_in_places_where_nobody_outside_chooses_it() -> None:
    places = {
        f"{path.relative_to(SOURCE).as_posix()} {name}"
        for path in SOURCE.rglob("*.py")
        for name in found_in(ast.parse(path.read_text()))
    }
    assert places == set(ALLOWED)


def test_the_walk_finds_what_it_looks_for() -> None:
    bad = (
        "import pickle\nfrom yaml import load\neval(x)\nimportlib.import_module(x)\n"
        "np.load(f, allow_pickle=True)\nrun(c, shell=True)\nos.system(c)\nre.compile(p)\nnp.load(f)\n"
    )
    assert list(found_in(ast.parse(bad))) == [
        "pickle",
        "yaml",
        "eval",
        "import_module",
        "allow_pickle=True",
        "shell=True",
        "system",
    ]


def test_the_security_policy_is_linked_and_says_how_to_report() -> None:
    policy = (PROJECT / "SECURITY.md").read_text()
    for heading in ("## What Lagotto promises", "## What it does not", "## How to report"):
        assert heading in policy
    for page in ("README.md", "CONTRIBUTING.md"):
        assert "](SECURITY.md)" in (PROJECT / page).read_text(), page
