"""Nothing that a page says can drive the terminal: titles, anchors, URLs, headers with control characters."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from lagotto.cli import printable
from tests.cli.conftest import Run

# Sets the window's title, turns text red (also in one byte), moves to the line's start, writes backwards.
PAYLOAD = "\x1b]0;pwned\x07 \x1b[31m \x9b31m \r\x08 \u202eback\u2028 birds"
DANGEROUS = {"\x1b", "\x07", "\x9b", "\r", "\x08", "\u202e", "\u2028", "\x00"}


class Hostile(BaseHTTPRequestHandler):
    """Puts the payload wherever a server can put something."""

    def do_GET(self) -> None:
        if self.path == "/robots.txt":
            self.send_error(404)
        elif self.path == "/gone":
            self.send_response(404, "\x1b[31mGone")
            self.end_headers()
        elif self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/target?\x1b[31m\x9b".encode().decode("latin-1"))
            self.end_headers()
        else:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("ETag", '"\x1b[31m"')
            self.end_headers()
            self.wfile.write(self.page().encode())

    def page(self) -> str:
        links = "".join(f'<a href="{path}">{PAYLOAD}</a> ' for path in ["/gone", "/moved", f"/{PAYLOAD}"])
        head = f"<title>{PAYLOAD}</title><meta name=description content='{PAYLOAD}'>"
        return f"{head}<p>birds {PAYLOAD} {self.path} {links if self.path == '/' else ''}"

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def seed() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hostile)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def options(seed: str) -> list[str]:
    return ["--seed", seed, "--allow-private", "127.0.0.0/8", "--delay", "0", "--strategy", "static"]


def assert_harmless(text: str) -> None:
    assert not DANGEROUS & set(text), [line for line in text.splitlines() if DANGEROUS & set(line)]


def test_what_commands_print_is_harmless(run: Run, seed: str) -> None:
    said = run("crawl", PAYLOAD, *options(seed), "-o", "c", "--show-links")
    assert said.code == 0, said.err
    assert "pwned" in said.out
    assert_harmless(said.out + said.err)
    assert_harmless(run("status", "c").out)
    urls = [line.split('"')[5] for line in run("export", "c").out.splitlines()]
    assert len(urls) == 5
    for url in urls:
        story = run("explain", "c", url)
        assert story.code == 0
        assert_harmless(story.out + story.err)
    assert "pwned" in run("explain", "c", seed).out
    assert_harmless(run("explain", "c", f"http://nowhere.example/{PAYLOAD.replace(' ', '')}").out)
    assert_harmless(run("doctor", "c").out)
    assert_harmless(run("crawl", "birds", "--seed", f"ftp://{PAYLOAD}", "-o", "d").err)


def test_the_live_view_and_exports_are_harmless_on_a_terminal(seed: str, tmp_path: Path) -> None:
    directory = str(tmp_path / "c")
    crawl = ["crawl", PAYLOAD, *options(seed), "-o", directory, "--show-links"]
    for command in (crawl, ["export", directory], ["export", directory, "--format", "csv", "--with-text"]):
        shown = on_a_terminal(command)
        assert b"pwned" in shown
        for evil in (b"\x1b]0;pwned", b"\x1b[31m", "\x9b".encode(), b"\x07", b"\x08", "\u202e".encode()):
            assert evil not in shown


def on_a_terminal(arguments: list[str]) -> bytes:
    """What a command writes when a person looks at it."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "lagotto", *arguments]
    with subprocess.Popen(command, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # The other end is closed.
            while piece := os.read(ours, 65536):
                shown += piece
        os.close(ours)
    assert process.returncode == 0, shown
    return shown


def test_text_that_is_harmless_stays_as_it_is() -> None:
    assert printable("Grüße, 日本語 naïve") == "Grüße, 日本語 naïve"
    assert printable("a\x1b[31mb\nc") == "a\\x1b[31mb\\nc"
