"""Fetch the libraries and the font of the dashboard from the npm registry: `python scripts/vendor_web.py`.

Files are taken as they are, but an import by a bare name becomes one by path: a browser resolves bare names
with an inline import map only, which the dashboard's content security policy refuses.
"""

from __future__ import annotations

import hashlib
import subprocess
import tarfile
import tempfile
from pathlib import Path

VENDOR = Path(__file__).resolve().parent.parent / "src/lagotto/serve/web/static/vendor"
SUMS = "SHA256SUMS"
BARE_IMPORT = (b'from"preact"', b'from"./preact.mjs"')

# Package with its version -> its files, and what they are called here
PACKAGES = {
    "preact@11.2.0": {
        "LICENSE": "preact.LICENSE",
        "dist/preact.mjs": "preact.mjs",
        "hooks/dist/hooks.mjs": "preact-hooks.mjs",
    },
    "htm@3.1.1": {"LICENSE": "htm.LICENSE", "dist/htm.mjs": "htm.mjs"},
    "uplot@1.6.32": {
        "LICENSE": "uplot.LICENSE",
        "dist/uPlot.esm.js": "uplot.mjs",
        "dist/uPlot.min.css": "uplot.css",
    },
    "graphology@0.26.0": {
        "LICENSE.txt": "graphology.LICENSE",
        "dist/graphology.umd.min.js": "graphology.js",
    },
    "graphology-library@0.8.0": {
        "LICENSE.txt": "graphology-library.LICENSE",
        "dist/graphology-library.min.js": "graphology-library.js",
    },
    "sigma@3.0.3": {"LICENSE.txt": "sigma.LICENSE", "dist/sigma.min.js": "sigma.js"},
    "@fontsource-variable/inter@5.3.0": {
        "LICENSE": "inter.LICENSE",
        "files/inter-latin-wght-normal.woff2": "inter.woff2",
    },
}


def take(package: str, files: dict[str, str], scratch: Path) -> None:
    """Put files of a package into the vendor folder."""
    packed = subprocess.run(
        ["npm", "pack", "--silent", package], cwd=scratch, check=True, capture_output=True, text=True
    )
    with tarfile.open(scratch / packed.stdout.strip()) as archive:
        for source, target in files.items():
            member = archive.extractfile(f"package/{source}")
            assert member is not None
            (VENDOR / target).write_bytes(member.read().replace(*BARE_IMPORT))


def main() -> None:
    """Fetch all packages and write checksums, as `sha256sum` does."""
    VENDOR.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        for package, files in PACKAGES.items():
            take(package, files, Path(scratch))
    kept = sorted(path for path in VENDOR.iterdir() if path.name != SUMS)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in kept]
    (VENDOR / SUMS).write_text("".join(lines))


if __name__ == "__main__":
    main()
