"""Name resolution: cached both ways, bounded, and checked by the guard."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Sequence

import pytest

from lagotto.fetch.dns import AddressRefused, NameNotFound, Resolver, SystemLookup
from lagotto.fetch.guard import Guard


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Names:
    """A name server whose answers a test can change."""

    def __init__(self, **answers: Sequence[str]) -> None:
        self.answers = dict(answers)
        self.asked: list[str] = []

    async def __call__(self, host: str) -> Sequence[str]:
        self.asked.append(host)
        await asyncio.sleep(0)
        if host not in self.answers:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return self.answers[host]


async def test_answers_are_kept_for_a_while() -> None:
    clock, names = Clock(), Names(a=["93.184.216.34"])
    resolver = Resolver(Guard(), lookup=names, clock=clock)
    assert await resolver.addresses("a") == ("93.184.216.34",)
    clock.now += 299
    await resolver.addresses("a")
    assert names.asked == ["a"]
    clock.now += 2
    await resolver.addresses("a")
    assert names.asked == ["a", "a"]


async def test_failures_are_kept_too_and_each_time_longer() -> None:
    clock, names = Clock(), Names()
    resolver = Resolver(Guard(), lookup=names, clock=clock)
    for expected, wait in enumerate([60, 120, 240, 480], 1):
        for _ in range(3):
            with pytest.raises(NameNotFound):
                await resolver.addresses("gone")
        assert len(names.asked) == expected
        clock.now += wait + 1
    for _ in range(30):
        clock.now += 3601
        with pytest.raises(NameNotFound):
            await resolver.addresses("gone")
    assert len(names.asked) == 34


async def test_a_name_that_comes_back_is_found_again() -> None:
    clock, names = Clock(), Names()
    resolver = Resolver(Guard(), lookup=names, clock=clock)
    with pytest.raises(NameNotFound):
        await resolver.addresses("a")
    names.answers["a"] = ["93.184.216.34"]
    clock.now += 61
    assert await resolver.addresses("a") == ("93.184.216.34",)


async def test_an_empty_answer_is_a_failure() -> None:
    with pytest.raises(NameNotFound, match="no address"):
        await Resolver(Guard(), lookup=Names(a=[])).addresses("a")


async def test_a_stalled_name_server_is_given_up() -> None:
    async def stall(host: str) -> Sequence[str]:
        await asyncio.sleep(60)
        return ["93.184.216.34"]

    resolver = Resolver(Guard(), lookup=stall, timeout=0.05)
    with pytest.raises(NameNotFound, match="no answer"):
        await resolver.addresses("slow")


async def test_many_addresses_are_cut_to_a_few() -> None:
    names = Names(a=[f"93.184.{i // 250}.{i % 250 + 1}" for i in range(1000)])
    assert len(await Resolver(Guard(), lookup=names).addresses("a")) == 8


async def test_simultaneous_questions_are_asked_once_and_survive_a_cancelled_one() -> None:
    names = Names(a=["93.184.216.34"])
    resolver = Resolver(Guard(), lookup=names)
    first, *others = [asyncio.create_task(resolver.addresses("a")) for _ in range(5)]
    await asyncio.sleep(0)
    first.cancel()
    assert await asyncio.gather(*others) == [("93.184.216.34",)] * 4
    assert names.asked == ["a"]


async def test_the_cache_is_bounded() -> None:
    names = Names(**{f"h{i}": ["93.184.216.34"] for i in range(50)})
    resolver = Resolver(Guard(), lookup=names, max_names=10)
    for i in range(50):
        await resolver.addresses(f"h{i}")
    names.asked.clear()
    for i in range(50):
        await resolver.addresses(f"h{49 - i}")
    assert len(names.asked) == 40


@pytest.mark.parametrize(
    "answer",
    [["127.0.0.1"], ["::1"], ["93.184.216.34", "127.0.0.1"], ["10.0.0.1", "93.184.216.34"], ["fe80::1"]],
)
async def test_a_name_with_any_refused_address_is_refused(answer: list[str]) -> None:
    with pytest.raises(AddressRefused) as refusal:
        await Resolver(Guard(), lookup=Names(a=answer)).resolve("a", 80)
    assert not any(address in str(refusal.value) for address in answer)


async def test_allowed_addresses_come_as_aiohttp_wants_them() -> None:
    resolver = Resolver(Guard(["127.0.0.0/8:8080"]), lookup=Names(a=["127.0.0.1", "2606:4700::1111"]))
    first, second = await resolver.resolve("a", 8080)
    assert (first["host"], first["port"], first["family"]) == ("127.0.0.1", 8080, socket.AF_INET)
    assert (second["host"], second["family"]) == ("2606:4700::1111", socket.AF_INET6)
    with pytest.raises(AddressRefused):
        await resolver.resolve("a", 8081)


async def test_the_guard_decides_anew_on_every_answer() -> None:
    clock, names = Clock(), Names(a=["93.184.216.34"])
    resolver = Resolver(Guard(), lookup=names, clock=clock)
    await resolver.resolve("a", 80)
    names.answers["a"] = ["127.0.0.1"]
    clock.now += 301
    with pytest.raises(AddressRefused):
        await resolver.resolve("a", 80)


async def test_closing_gives_up_lookups_under_way() -> None:
    async def stall(host: str) -> Sequence[str]:
        await asyncio.sleep(60)
        return []

    resolver = Resolver(Guard(), lookup=stall)
    asking = asyncio.create_task(resolver.addresses("a"))
    await asyncio.sleep(0.01)
    await resolver.close()
    with pytest.raises(asyncio.CancelledError):
        await asking


async def test_the_system_is_asked_in_a_thread() -> None:
    assert set(await SystemLookup()("localhost")) <= {"127.0.0.1", "::1"}


@pytest.mark.parametrize("name", ["a..b", "x" * 70 + ".org"])
async def test_names_that_the_system_cannot_find_fail_as_such(name: str) -> None:
    with pytest.raises(NameNotFound):
        await Resolver(Guard(), lookup=SystemLookup()).addresses(name)


async def test_silence_of_the_name_server_is_kept_for_a_short_time() -> None:
    """A name server that cannot be reached for two seconds must not block all its names for a minute."""
    clock, asked = Clock(), []

    async def silent(host: str) -> Sequence[str]:
        asked.append(host)
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    resolver = Resolver(Guard(), lookup=silent, clock=clock)
    for _ in range(2):
        with pytest.raises(NameNotFound):
            await resolver.addresses("a")
        clock.now += 5.1
    assert asked == ["a", "a"]


async def test_errors_of_our_own_system_are_not_kept() -> None:
    asked = []

    async def no_files(host: str) -> Sequence[str]:
        asked.append(host)
        raise OSError(errno.EMFILE, "Too many open files")

    resolver = Resolver(Guard(), lookup=no_files)
    for _ in range(2):
        with pytest.raises(OSError, match="Too many open files"):
            await resolver.addresses("a")
    assert asked == ["a", "a"]
