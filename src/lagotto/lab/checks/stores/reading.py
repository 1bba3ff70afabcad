"""The read side: every method of `Reader`, beside a worker that goes on."""

from __future__ import annotations

from array import array

from lagotto.base.batch import Batch, Mark, Patterns
from lagotto.base.events import Deferred, Expanded, PageDone
from lagotto.base.facts import OptOut, PageFacts, Use
from lagotto.base.protocols import Storage, Store
from lagotto.base.records import Fetched, Outcome, Reason
from lagotto.base.text import CountedTerms
from lagotto.base.urls import host_of
from lagotto.base.views import ChosenPages, KnownHost, Moment, PageChoice
from lagotto.lab.checks.store_calls import HOME, NOW, commit, expand, link, outcome, queue, seed, top
from lagotto.lab.checks.stores.storing import StoreCheck, Stores, begun
from lagotto.store import WarcWriter

HUB, GONE, QUEUED = f"{HOME}hub", f"{HOME}gone", f"{HOME}queued"
SLOW, HELD = "http://slow.example/", "http://held.example/"


async def small_crawl(stores: Stores) -> tuple[Storage, Store]:
    """Two pages, a dead link, a link that waits, one that is held and two that are queued."""
    storage, store = await begun(stores)
    [home] = await top(store)
    links = [link(HUB, 0.75), link(GONE, 0.5), link(SLOW, 0.25), link(QUEUED, 0.125)]
    first = outcome(home, *links, content=11)
    first.size, first.left_out = 100, {"mailto": 2}
    await commit(store, [first])
    hub, gone, _ = await top(store)
    [slow] = await top(store, "slow.example")
    shelved = outcome(hub, link(HELD, 0.5, HUB, held=True, depth=2), content=12, shelf=0.5)
    assert shelved.judgement is not None
    shelved.judgement.relevant, shelved.fetched_at = False, NOW + 1
    dead = Outcome(gone, NOW + 2, 404, Reason.HTTP_STATUS, "404")
    late = Outcome(slow, NOW + 3, reason=Reason.DNS, detail="no address", retry_at=NOW + 60)
    await commit(store, [shelved, dead, late])
    await queue(store, [seed("http://c.example/late", 0.25)])
    return storage, store


async def check_status_counts_everything(stores: Stores) -> None:
    """The figures of the crawl, of a crawl that has only begun, and of each host."""
    storage, _ = await begun(stores)
    with storage.reader() as reader:
        empty = reader.status()
        assert (empty.known, empty.queued, empty.concluded, empty.first_at) == (1, 1, 0, None)
        assert (empty.harvest_ratio, reader.hosts(), list(reader.rows())) == (0.0, [], [])
    storage, _ = await small_crawl(stores)
    with storage.reader() as reader:
        status = reader.status()
        assert (status.known, status.concluded, status.queued, status.deferred) == (7, 3, 3, 1)
        assert (status.held, status.shelved, status.pages, status.relevant) == (1, 1, 2, 1)
        assert (status.bytes, status.hosts, status.reasons) == (100, 1, {"http-status 404": 1})
        assert (status.first_at, status.last_at, status.harvest_ratio) == (NOW, NOW + 2, 0.5)
        [host] = reader.hosts()
        assert (host.host, host.concluded, host.pages, host.relevant) == ("a.example", 3, 2, 1)


async def check_rows_can_be_followed(stores: Stores) -> None:
    """Rows come in the order of the commits, and after a number only those that came since."""
    storage, store = await small_crawl(stores)
    with storage.reader() as reader:
        rows = list(reader.rows(with_text=True))
        assert [(row.seq, row.url, row.status, row.reason) for row in rows] == [
            (1, HOME, 200, ""),
            (2, HUB, 200, ""),
            (3, GONE, 404, Reason.HTTP_STATUS),
        ]
        hub = rows[1]
        assert (hub.parent, hub.depth, hub.link_score, hub.host) == (HOME, 1, 0.75, host_of(HUB))
        assert (hub.title, hub.text, hub.relevance, hub.relevant) == ("A page", "Some text.", 0.5, False)
        assert hub.fetched_at == "2023-11-14T22:13:21.000Z"
        assert next(iter(reader.rows())).text is None, "texts come only if asked for"
        assert [row.url for row in reader.rows(relevant_only=True)] == [HOME]
        assert [page.row.url for page in reader.stored_pages(after=1)] == [HUB, GONE]
        assert list(reader.rows(after=3)) == []
        [queued] = await top(store)
        await commit(store, [outcome(queued)])
        assert [row.url for row in reader.rows(after=3)] == [queued.url]
        assert [(number, relevant) for number, _, relevant in reader.harvest()] == [
            (1, True),
            (2, False),
            (4, True),
        ]
        assert list(reader.fetched())[:2] == [(HOME, 11, 11, ""), (HUB, 12, 12, HOME)]
        assert (reader.text(2), reader.text(3), reader.text(99)) == ("Some text.", None, None)


async def check_pages_can_be_judged_again(stores: Stores) -> None:
    """Judged pages come with their text, the links on them, what led to them, and the user's mark."""
    storage, store = await small_crawl(stores)
    await store.commit(Batch(marks=[Mark(HUB, True)]))
    with storage.reader() as reader:
        home, hub = reader.judged_pages()
        assert (home.number, home.url, home.title, home.text) == (1, HOME, "A page", "Some text.")
        assert home.targets == array("q", [seed(url).id for url in (HUB, GONE, SLOW, QUEUED)]).tobytes()
        assert (home.depth, home.mark) == (0, None)
        assert (hub.number, hub.link_score, hub.link_parts, hub.depth) == (2, 0.75, [0.75, 0.25], 1)
        assert hub.mark is True


async def check_term_counts_are_kept_with_pages(stores: Stores) -> None:
    """Term counts come in place of the text where they were counted in the way that is asked for."""
    storage, store = await begun(stores)
    done = outcome((await top(store))[0], link(HUB, 0.75))
    assert done.page is not None
    done.page.terms, done.page.title_terms, done.page.counting = {"poll": 2, "caf\u00e9": 1}, ["poll"], 5
    await commit(store, [done])
    await commit(store, [outcome((await top(store))[0])])
    counted = CountedTerms(["poll"], {"poll": 2, "caf\u00e9": 1})
    with storage.reader() as reader:
        home, hub = reader.judged_pages(5, with_text=False)
        assert (home.terms, home.text) == (counted, None)
        assert (hub.terms, hub.text) == (None, "Some text."), "nobody said how its terms were counted"
        home, _ = reader.judged_pages(5)
        assert (home.terms, home.text) == (counted, "Some text.")
        home, _ = reader.judged_pages(6, with_text=False)
        assert (home.terms, home.text) == (None, "Some text.")


async def check_everything_can_be_exported(stores: Stores) -> None:
    """Pages come by their numbers, with the links on them; waiting links come with what they wait for."""
    storage, _ = await small_crawl(stores)
    with storage.reader() as reader:
        gone, home = reader.pages_at([3, 1], with_text=True)
        assert (gone.row.url, gone.detail, gone.is_page, home.row.url) == (GONE, "404", False, HOME)
        assert (home.row.text, home.is_page) == ("Some text.", True)
        assert list(reader.pages_at([])) == []
        ids = array("q", [seed(url).id for url in (HUB, GONE, SLOW, QUEUED)]).tobytes()
        assert list(reader.link_targets()) == [(1, ids), (2, array("q", [seed(HELD).id]).tobytes())]
        waiting = {each.link.url: each for each in reader.waiting_links()}
        assert {url: each.state for url, each in waiting.items()} == {
            SLOW: "deferred",
            QUEUED: "queued",
            HELD: "held",
            "http://c.example/late": "queued",
        }
        slow, held = waiting[SLOW], waiting[HELD]
        assert (slow.retry_at, slow.waiting_for) == (NOW + 60, f"{Reason.DNS} no address")
        assert (held.link.parent, held.link.score, held.link.anchor) == (HUB, 0.5, "an anchor")


async def check_facts_are_kept_with_pages(stores: Stores) -> None:
    """What a page says of itself comes back with it, and a page that says nothing has no facts."""
    storage, store = await begun(stores)
    facts = PageFacts(
        author="Ann Beispiel; \u6797",
        published="2024-05-01",
        license="http://a.example/license",
        types=["Article"],
        opengraph={"site_name": "A \u2018site\u2019"},
        opt_outs=[OptOut(Use.TDM, "header", "http://a.example/policy"), OptOut(Use.AI, "meta")],
    )
    first = outcome((await top(store))[0], link(HUB), content=11)
    assert first.page is not None
    first.page.facts, first.page.headings = facts, ["Birds", "On\n roofs"]
    await commit(store, [first])
    await commit(store, [outcome((await top(store))[0], content=12)])
    facts.headings = ["Birds", "On roofs"]
    with storage.reader() as reader:
        home, hub = reader.stored_pages()
        assert (home.facts, hub.facts) == (facts, None)
        assert (home.row.author, home.row.published) == (facts.author, facts.published)
        assert (home.row.license, home.row.opt_outs) == (facts.license, "ai, tdm")
        assert (hub.row.author, hub.row.opt_outs) == ("", "")
        history, other = reader.history(HOME), reader.history(HUB)
        assert history is not None
        assert history.page is not None
        assert history.page.facts == facts
        assert other is not None
        assert other.page is not None
        assert other.page.facts is None


async def check_events_can_be_followed(stores: Stores) -> None:
    """A reader gets each event once and in order, while a worker goes on."""
    storage, store = await small_crawl(stores)
    with storage.reader() as reader:
        events = reader.events()
        assert [event.n for event in events] == [1, 2, 3, 4]
        home, hub, gone, slow = events
        assert home == PageDone(HOME, 200, "", 0.5, True, {"mailto": 2}, 1, "", 100, 1)
        assert isinstance(hub, PageDone)
        assert isinstance(gone, PageDone)
        assert (hub.url, hub.page, gone.status, gone.reason) == (HUB, 2, 404, Reason.HTTP_STATUS)
        assert slow == Deferred(SLOW, Reason.DNS, NOW + 60, 4)
        assert (reader.last_event(), reader.events(after=4)) == (4, [])
        assert [event.n for event in reader.events(after=1, limit=2)] == [2, 3]
        await expand(store, seed(HUB).id)
        assert reader.events(after=4) == [Expanded(HUB, 0.5, 1, 5)]


async def check_histories_tell_everything(stores: Stores) -> None:
    """The history of a URL says how it was found, in which state it is and what came of it."""
    storage, _ = await small_crawl(stores)
    with storage.reader() as reader:
        assert reader.history("http://never.example/") is None
        states = {url: history.state for url in (HOME, SLOW, HELD) if (history := reader.history(url))}
        assert states == {HOME: "concluded", SLOW: "deferred", HELD: "held"}
        slow, held, home = reader.history(SLOW), reader.history(HELD), reader.history(HOME)
        assert slow is not None
        assert held is not None
        assert home is not None
        assert (slow.retry_at, slow.attempts, slow.waiting_for) == (NOW + 60, 1, "dns no address")
        assert [(step.url, step.depth) for step in held.path] == [(HOME, 0), (HUB, 1), (HELD, 2)]
        assert (held.path[2].anchor, held.path[1].relevant) == ("an anchor", False)
        assert home.page is not None
        assert (home.page.number, home.page.title, home.page.left_out) == (1, "A page", {"mailto": 2})
        assert home.page.fingerprint == f"{11:016x}"


async def check_queued_links_are_shown(stores: Stores) -> None:
    """The best links over all hosts, and those that match a pattern, held ones included."""
    storage, store = await small_crawl(stores)
    await queue(store, [seed(f"{HOME}best", 4.0)])
    with storage.reader() as reader:
        assert [each.url for each in reader.best_queued(2)] == [f"{HOME}best", "http://c.example/late"]
        assert [each.url for each in reader.best_queued(9)][2:] == [f"{HOME}queued"], (
            "waiting links are left out"
        )
        found = reader.queued_matching(r"example/(|best|queued)$", 2)
        assert (found.count, len(found.examples)) == (4, 2)
        assert reader.queued_matching("held").examples[0].url == HELD
        assert reader.queued_matching(f"^{GONE}$").count == 0, "it is concluded"
        refused = reader.refused_by(Patterns(exclude=["queued", "slow", "late"]), 1)
        assert (refused.count, len(refused.examples)) == (2, 1), "a seed is not refused"
        await store.commit(Batch(patterns=Patterns(exclude=["queued"])))
        history = reader.history(QUEUED)
        assert (reader.status().aside, history and history.state) == (1, "set aside")
        late = reader.queued_matching("late").examples[0]
        assert (late.score, late.parent, late.depth) == (0.25, "", 0)
        assert (await store.heads({"a.example": 9}, NOW))["a.example"].links[0].url == f"{HOME}best"


async def check_pages_are_chosen_in_an_order(stores: Stores) -> None:
    """Numbers of the pages that are wanted come in the order that is asked for, some at a time."""
    storage, store = await small_crawl(stores)
    queued, *_ = await top(store)
    better = outcome(queued, content=13)
    assert better.judgement is not None
    better.judgement.relevance = 0.9
    await commit(store, [better])
    await store.commit(Batch(marks=[Mark(HUB, True)]))
    with storage.reader() as reader:
        every = PageChoice()
        assert reader.chosen_pages(every) == ChosenPages([4, 3, 2, 1], 4)
        assert reader.chosen_pages(every, "oldest", offset=1, limit=2) == ChosenPages([2, 3], 4)
        assert reader.chosen_pages(every, "relevance") == ChosenPages([2, 4, 1], 3), "a mark counts 1"
        assert reader.chosen_pages(every, "uncertain", limit=1) == ChosenPages([1], 3)
        assert reader.chosen_pages(PageChoice(relevant=False)) == ChosenPages([], 0)
        assert reader.chosen_pages(PageChoice(relevant=True, marked=False)) == ChosenPages([4, 1], 2)
        assert reader.chosen_pages(PageChoice(marked=True)) == ChosenPages([2], 1)
        assert reader.chosen_pages(PageChoice(host="a.example", reason="")) == ChosenPages([4, 2, 1], 3)
        assert reader.chosen_pages(PageChoice(host="slow.example")) == ChosenPages([], 0)
        assert reader.chosen_pages(PageChoice(reason=Reason.HTTP_STATUS)) == ChosenPages([3], 1)
        assert reader.chosen_pages(PageChoice(least_parts=2), "oldest") == ChosenPages([2, 3, 4], 3)
        assert reader.chosen_pages(PageChoice(least_parts=3)) == ChosenPages([], 0)


async def check_hosts_are_known(stores: Stores) -> None:
    """Every host that links lead to is told, with what it gave, what waits and who cites it."""
    storage, store = await small_crawl(stores)
    await store.commit(Batch(host_waits={"slow.example": NOW + 30}))
    with storage.reader() as reader:
        known = {host.host: host for host in reader.known_hosts()}
        assert known == {
            "a.example": KnownHost("a.example", 3, 2, 1, 1, 0.125, 0),
            "slow.example": KnownHost("slow.example", 0, 0, 0, 1, 0.25, 1),
            "held.example": KnownHost("held.example", 0, 0, 0, 0, None, 1),
            "c.example": KnownHost("c.example", 0, 0, 0, 1, 0.25, 0),
        }
        assert reader.host_waits() == {"slow.example": NOW + 30}
        assert [each.url for each in reader.best_queued(9, "a.example")] == [QUEUED]
        assert reader.best_queued(9, "never.example") == []


async def check_the_course_of_a_crawl_is_told(stores: Stores) -> None:
    """How far the crawl was at evenly spread conclusions, and how many URLs it knew about then."""
    storage, _ = await begun(stores)
    with storage.reader() as reader:
        assert reader.course() == []
    storage, _ = await small_crawl(stores)
    with storage.reader() as reader:
        first, second, last = reader.course()
        assert first == Moment(NOW, 1, 1, 1, 5), "a seed and the four links of the first page"
        assert (second.at, second.concluded, second.pages, second.relevant) == (NOW + 1, 2, 2, 1)
        assert second.known in (6, 7), "a later seed may count early"
        assert last == Moment(NOW + 2, 3, 2, 1, 7)
        assert [moment.concluded for moment in reader.course(2)] == [2, 3]


async def check_learning_is_read_of_one_moment(stores: Stores) -> None:
    """A reader gets the snapshot of an owner, and the samples since."""
    storage, store = await begun(stores)
    await store.commit(Batch(samples=[b"one", b"two"]))
    with storage.reader() as reader:
        found = reader.learned("first")
        assert (found.state, found.samples, found.last) == (None, [b"one", b"two"], 2)


async def check_bodies_are_read_from_the_archive(stores: Stores) -> None:
    """Where answers are kept, a reader finds the body of a page."""
    storage, store = await begun(stores)
    if storage.folder is None:
        return
    writer = WarcWriter(storage.folder / "warc", await store.warc_ends())
    body = b"<title>A page</title>"
    done = outcome((await top(store))[0])
    done.content_type = "text/html"
    done.warc = writer.append(Fetched(HOME, 200, body=body, wire=body, fetched_at=NOW))
    writer.close()
    await commit(store, [done])
    with storage.reader() as reader:
        [page] = reader.stored_pages()
        assert (page.content_type, page.place) == ("text/html", done.warc)
        assert reader.body(done.warc).body == body
        assert len(reader.record(done.warc)) == done.warc.length


READER_CHECKS: tuple[StoreCheck, ...] = (
    check_status_counts_everything,
    check_rows_can_be_followed,
    check_pages_can_be_judged_again,
    check_term_counts_are_kept_with_pages,
    check_everything_can_be_exported,
    check_facts_are_kept_with_pages,
    check_events_can_be_followed,
    check_histories_tell_everything,
    check_queued_links_are_shown,
    check_pages_are_chosen_in_an_order,
    check_hosts_are_known,
    check_the_course_of_a_crawl_is_told,
    check_learning_is_read_of_one_moment,
    check_bodies_are_read_from_the_archive,
)
