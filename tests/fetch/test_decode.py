"""Content encodings: undone in pieces, complete or not, and never beyond the cap."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.fetch import decode
from lagotto.fetch.decode import BadEncoding, Decoder, TooLarge
from tests.fetch.encodings import ENCODE, br, gzip

MIB = 1024 * 1024
TEXT = b"".join(b"truffle %d, " % (i * i) for i in range(5_000))


def decode_all(decoder: Decoder, wire: bytes, step: int) -> bytes:
    return b"".join(decoder.decode(wire[i : i + step]) for i in range(0, len(wire), step))


@pytest.mark.parametrize("name", ENCODE)
@pytest.mark.parametrize("step", [1, 3, 1000, MIB])
def test_a_body_comes_back_whole_however_it_is_cut(name: str, step: int) -> None:
    text = TEXT[:5000] if step < 10 else TEXT
    decoder = Decoder(name, MIB)
    assert decode_all(decoder, ENCODE[name](text), step) == text
    assert decoder.finished


@pytest.mark.parametrize("name", ENCODE)
@pytest.mark.parametrize("piece", [1, 7, 300])
def test_small_pieces_lose_nothing(name: str, piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decode, "_PIECE", piece)
    assert decode_all(Decoder(name, MIB), ENCODE[name](TEXT[:3000]), 100) == TEXT[:3000]


@pytest.mark.parametrize("name", ENCODE)
def test_an_incomplete_body_gives_what_it_has(name: str) -> None:
    noise = random.Random(1).randbytes(100_000)
    decoder = Decoder(name, MIB)
    found = decode_all(decoder, ENCODE[name](noise)[:-5000], 4096)
    assert noise.startswith(found)
    assert not decoder.finished


@pytest.mark.parametrize("name", ENCODE)
def test_the_cap_is_exact(name: str) -> None:
    wire = ENCODE[name](TEXT)
    assert Decoder(name, len(TEXT)).decode(wire) == TEXT
    with pytest.raises(TooLarge):
        Decoder(name, len(TEXT) - 1).decode(wire)


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd"])
def test_what_is_not_encoded_as_it_says_is_bad(name: str) -> None:
    with pytest.raises(BadEncoding):
        Decoder(name, MIB).decode(b"<!doctype html><p>This was never compressed at all.")


def test_several_gzip_members_are_one_body_and_rubbish_after_them_is_ignored() -> None:
    wire = gzip(b"one ") + gzip(b"two")
    for step in (1, 2, 100):
        decoder = Decoder("gzip", MIB)
        assert decode_all(decoder, wire + b"\x00\x00rubbish", step) == b"one two"
        assert decoder.finished


def test_layers_are_undone_in_order_and_not_too_many() -> None:
    assert Decoder("gzip, br", MIB).decode(br(gzip(b"text"))) == b"text"
    with pytest.raises(BadEncoding):
        Decoder(", ".join(["gzip"] * 10), MIB)


@pytest.mark.parametrize("name", ["", "identity", "utf-8", "none, identity", "compress"])
def test_unknown_encodings_leave_the_body_alone(name: str) -> None:
    decoder = Decoder(name, MIB)
    assert not decoder.encoded
    assert decoder.decode(b"as it is") == b"as it is"
    assert decoder.finished


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("scrapy_bomb-br.bin", "br"),
        ("scrapy_bomb-deflate.bin", "deflate"),
        ("scrapy_bomb-gzip.bin", "gzip"),
        ("scrapy_bomb-zstd.bin", "zstd"),
    ],
)
def test_bombs_do_not_go_off(lagotto_data: Path, file: str, name: str) -> None:
    wire = (lagotto_data / "conformance/http/bombs" / file).read_bytes()
    with pytest.raises(TooLarge):
        Decoder(name, 10 * MIB).decode(wire)


def test_a_gzip_file_that_holds_itself_is_unpacked_once(lagotto_data: Path) -> None:
    wire = (lagotto_data / "conformance/http/bombs/SecLists_r.gz").read_bytes()
    assert Decoder("gzip", MIB).decode(wire) == wire


@given(
    st.sampled_from(["gzip", "deflate", "br", "zstd", "gzip, br"]),
    st.lists(st.binary(max_size=60), max_size=5),
)
def test_rubbish_is_refused_or_read_but_never_anything_else(name: str, chunks: list[bytes]) -> None:
    decoder = Decoder(name, 1000)
    try:
        assert sum(len(decoder.decode(chunk)) for chunk in chunks) <= 1000
    except (BadEncoding, TooLarge):
        return
