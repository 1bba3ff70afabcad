"""What users and the model change afterwards: commands, marks, judgements, versions, waits of hosts."""

from __future__ import annotations

from lagotto.base.batch import Batch, Command, Mark, NewJudgement, Taken, Version
from lagotto.base.events import CommandTaken, EventRecord, JudgedAgain, Marked
from lagotto.base.protocols import Reader
from lagotto.lab.checks.store_calls import HOME, NOW, commit, hold_all, outcome, top
from lagotto.lab.checks.stores.storing import StoreCheck, Stores, begun, killed, raises, started


async def check_commands_are_taken_once(stores: Stores) -> None:
    """Commands come in the order in which they were sent, until a commit takes them."""
    storage, store = await begun(stores)
    assert (await store.commands(), store.reader().commands()) == ([], [])
    sent = [Command(b'{"kind":"pause"}', "me", 5.0), Command(b'"two"', "you", 6.0), Command(b'"three"')]
    assert [storage.send(command) for command in sent] == [1, 2, 3]
    waiting = await store.commands()
    assert [(each.n, each.content, each.who, each.at) for each in waiting] == [
        (1, b'{"kind":"pause"}', "me", 5.0),
        (2, b'"two"', "you", 6.0),
        (3, b'"three"', "", 0.0),
    ]
    await store.commit(Batch(taken=[Taken(2, "done")]))
    assert [each.n for each in await store.commands()] == [1, 3]
    for n in (2, 99):
        assert await raises(ValueError, store.commit(Batch(taken=[Taken(n)], samples=[b"lost"])))
    store = await hold_all(await killed(stores, storage, store))
    assert [each.n for each in await store.commands()] == [1, 3]
    assert storage.send(Command(b'"four"')) == 4
    await store.commit(Batch(taken=[Taken(1, "unknown", applied=False), Taken(3)]))
    assert [each.n for each in await store.commands()] == [4]
    known = store.reader().commands()
    assert [(each.n, each.who, each.outcome, each.applied) for each in known] == [
        (1, "me", "unknown", False),
        (2, "you", "done", True),
        (3, "", "", True),
        (4, "", "", False),
    ]
    assert [each.taken_at is None for each in known] == [False, False, False, True]
    assert (await store.restore()).samples == [], "the refused batches left something behind"
    told = [event for event in store.reader().events() if isinstance(event, CommandTaken)]
    assert [(event.command, event.content, event.applied) for event in told] == [
        (2, '"two"', True),
        (1, '{"kind":"pause"}', False),
        (3, '"three"', True),
    ]


async def check_newer_judgements_count(stores: Stores) -> None:
    """A page judged again has the new relevance; what was judged at the fetch is kept beside it."""
    store = await started(stores)
    await commit(store, [outcome((await top(store))[0])])
    await store.commit(Batch(judgements=[NewJudgement(1, 0.125, False, {"new": 1.0})], model=3))
    history = store.reader().history(HOME)
    assert history is not None
    page = history.page
    assert page is not None
    assert (page.relevance, page.relevant, page.judged, page.model) == (0.125, False, {"new": 1.0}, 3)
    assert (page.relevance_at_fetch, page.relevant_at_fetch) == (0.5, True)
    reader = store.reader()
    assert ([row.relevant for row in reader.rows()], reader.status().relevant) == ([False], 0)
    assert _last(reader) == JudgedAgain([1], 3, reader.last_event())


async def check_marks_beat_judgements(stores: Stores) -> None:
    """A user's mark counts more than any judgement; when it is taken back, the newest judgement counts."""
    storage, store = await begun(stores)
    await commit(store, [outcome((await top(store))[0])])
    await store.commit(Batch(marks=[Mark(HOME, False, "me", 7.0)]))
    reader = store.reader()
    assert _verdict(reader) == (0.0, False, False)
    [marked] = reader.marks()
    assert (marked.url, marked.page, marked.on, marked.who, marked.at) == (HOME, 1, False, "me", 7.0)
    await store.commit(Batch(judgements=[NewJudgement(1, 0.75, True)], model=2))
    assert _verdict(reader) == (0.0, False, False)
    await store.commit(Batch(marks=[Mark(HOME, True, "you", 8.0), Mark("http://never.example/", True)]))
    assert _last(reader) == Marked(HOME, True, "you", 1, reader.last_event())
    store = await hold_all(await killed(stores, storage, store))
    reader = store.reader()
    assert _verdict(reader) == (1.0, True, True)
    assert [(each.on, each.who) for each in reader.marks()] == [(True, "you")]
    await store.commit(Batch(marks=[Mark(HOME, None)]))
    assert _verdict(reader) == (0.75, True, None)
    assert reader.marks() == []


async def check_versions_are_counted(stores: Stores) -> None:
    """Versions of each kind are numbered from 1 and kept."""
    storage, store = await begun(stores)
    await store.commit(Batch(versions=[Version("topic", b"one", created=NOW), Version("model", b"x")]))
    await store.commit(Batch(versions=[Version("topic", b"two"), Version("topic", b"three")]))
    reader = (await killed(stores, storage, store)).reader()
    topics = reader.versions("topic")
    assert [(each.version, each.content) for each in topics] == [(1, b"one"), (2, b"two"), (3, b"three")]
    assert topics[0].created == NOW
    assert topics[1].created > NOW, "a version without a time gets the time of its commit"
    assert [each.version for each in reader.versions("model")] == [1]
    assert reader.versions("never") == []


async def check_hosts_are_left_alone(stores: Stores) -> None:
    """Until when a host asked to be left alone survives a crash; 0 ends the wait."""
    storage, store = await begun(stores)
    assert await store.host_waits() == {}
    await store.commit(Batch(host_waits={"a.example": NOW + 5, "b.example:8080": NOW + 6}))
    await store.commit(Batch(host_waits={"a.example": NOW + 9}))
    store = await hold_all(await killed(stores, storage, store))
    assert await store.host_waits() == {"a.example": NOW + 9, "b.example:8080": NOW + 6}
    await store.commit(Batch(host_waits={"a.example": 0.0}))
    assert await store.host_waits() == {"b.example:8080": NOW + 6}


def _verdict(reader: Reader) -> tuple[float | None, bool | None, bool | None]:
    history = reader.history(HOME)
    assert history is not None
    assert history.page is not None
    return history.page.relevance, history.page.relevant, history.page.mark


def _last(reader: Reader) -> EventRecord:
    return reader.events(reader.last_event() - 1)[-1]


STEERING_CHECKS: tuple[StoreCheck, ...] = (
    check_commands_are_taken_once,
    check_newer_judgements_count,
    check_marks_beat_judgements,
    check_versions_are_counted,
    check_hosts_are_left_alone,
)
