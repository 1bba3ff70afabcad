from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from msgspec.structs import replace

from lagotto.base.errors import InputError
from lagotto.base.records import Lease, Page
from lagotto.base.urls import checksum
from lagotto.focus.registry import build_strategy
from lagotto.focus.strategies.base import Revision
from lagotto.focus.strategies.scent import Scent, judge
from lagotto.focus.strategies.scent import samples as sampling
from lagotto.focus.strategies.scent.link_table import LinkTable
from lagotto.focus.topic import Document, Topic
from lagotto.lab.checks import check_strategy
from lagotto.lab.checks.strategies import fictional_pages, lease_of, make_page

BIRDS = "A heron is a bird. Birds have feathers and wings, they nest, sing and fly. "
NESTS = "Feathers, wings, eggs: they nest in trees, sing at dawn and fly south. "
RAPTORS = (
    "Owls and eagles have talons, hooked beaks, sharp eyes; they hunt hares, voles and fish from perches. "
)
BANKS = "A bank lends money at interest. Loans, mortgages, savings and shares are its trade. "


def small_web(n: int = 24) -> list[Page]:
    """Half birds, half banks; links stay within a subject, but for the hubs that come first."""
    pages = [
        make_page(
            "http://hub.example/",
            "Links",
            "Links to read. " * 5,
            {f"http://birds.example/{i}.html": f"bird {i}" for i in range(5)}
            | {f"http://banks.example/{i}.html": f"bank {i}" for i in range(5)},
        )
    ]
    for i in range(n):
        birds = {f"http://birds.example/{(i * 3 + k) % 200}.html": f"page {i + k}" for k in range(4)}
        banks = {f"http://banks.example/{(i * 3 + k) % 200}.html": f"page {i + k}" for k in range(4)}
        text = BIRDS if i % 3 else NESTS
        pages.append(make_page(f"http://birds.example/{i}.html", f"Page {i}", text * 4, birds))
        pages.append(make_page(f"http://banks.example/{i}.html", f"Page {i}", BANKS * 4, banks))
    return pages


def crawl(strategy: Scent, pages: list[Page], first: int = 0) -> list[bytes]:
    samples = []
    for at, page in enumerate(pages, first):
        lease = lease_of(page, depth=0 if at == 0 else 1)
        judgement = strategy.judge(page)
        strategy.score(page, judgement, lease)
        samples.append(strategy.sample(page, judgement, lease))
        strategy.learn(samples[-1])
    return samples


@pytest.fixture
def trained() -> Scent:
    strategy = Scent(Topic("bird heron"))
    crawl(strategy, small_web())
    return strategy


def test_keeps_the_promises_of_a_strategy() -> None:
    check_strategy(lambda: Scent(Topic("birds feathers"), prefer="hosts", context=1.0))


def test_what_drifts_from_the_words_is_rolled_back(monkeypatch: pytest.MonkeyPatch) -> None:
    crawled = [Scent(Topic("bird heron")) for _ in range(2)]
    crawl(crawled[0], small_web())
    monkeypatch.setattr(judge, "AGREEMENT", 1.1)
    crawl(crawled[1], small_web())
    kept, rolled_back = (strategy.outlook()["rolled_back"] for strategy in crawled)
    assert kept < rolled_back
    page = make_page("http://new.example/a", "Untitled", NESTS * 4)
    assert crawled[0].judge(page) != crawled[1].judge(page)
    again = Scent(Topic("bird heron"))
    again.load(crawled[1].save())
    assert again.outlook()["rolled_back"] == rolled_back


def test_a_page_without_the_words_is_known_by_the_company_of_its_text(trained: Scent) -> None:
    nests = trained.judge(make_page("http://new.example/a", "Untitled", NESTS * 4))
    banks = trained.judge(make_page("http://new.example/b", "Untitled", BANKS * 4))
    assert nests.relevance > 2.5 * banks.relevance
    assert not banks.relevant


def test_pages_need_not_be_as_much_on_topic_as_the_examples() -> None:
    documents = [
        Document.from_text(RAPTORS * 6 + "They fly on broad wings. " * 2 + f"number{at} " * 3)
        for at in range(3)
    ]
    strategy = Scent(Topic("", relevant=documents), meaning=False)
    crawl(strategy, small_web())
    verdicts = {page.url: strategy.judge(page).relevant for page in small_web()}
    assert all(relevant == ("birds" in url) for url, relevant in verdicts.items() if "hub" not in url)


def test_links_from_where_birds_were_found_come_first(trained: Scent) -> None:
    page = make_page(
        "http://new.example/",
        "Untitled",
        "Some pages. " * 4,
        {"http://birds.example/900.html": "page", "http://banks.example/900.html": "page"},
    )
    to_birds, to_banks = trained.score(page, trained.judge(page), lease_of(page)).values
    assert to_birds > to_banks


def test_links_like_those_that_brought_no_page_are_worth_less(trained: Scent) -> None:
    links = {
        f"http://birds.example/{folder}/{at}.html": "bird" for at in range(9) for folder in ("old", "new")
    }
    page = make_page("http://birds.example/more/", "Birds", BIRDS * 4, links)
    crawl(trained, [page], first=1)
    for url in [*links][:16:2]:
        trained.learn(trained.lost(Lease(checksum(url), url, "birds.example")))
    last = make_page("http://birds.example/last/", "Birds", BIRDS * 4, dict.fromkeys([*links][16:], "bird"))
    to_old, to_new = trained.score(last, trained.judge(last), lease_of(last)).values
    assert to_old < to_new - 0.05


def test_parts_add_up_to_the_score(trained: Scent) -> None:
    page = small_web()[5]
    scores = trained.score(page, trained.judge(page), lease_of(page))
    assert scores.parts.sum(axis=1) == pytest.approx(scores.values, abs=1e-4)


def test_revisions_put_links_to_birds_before_links_to_banks() -> None:
    strategy = Scent(Topic("bird heron"), exploration=0.0)
    revised: dict[int, Revision] = {}
    for at, page in enumerate(small_web()):
        crawl(strategy, [page], first=at)
        revised |= {link.id: link for link in strategy.revisions()}
    best = sorted(revised.values(), key=lambda link: link.score)[-10:]
    assert {link.host for link in best} == {"birds.example"}
    assert strategy.revisions() == [], "each revision is told once"


def test_a_link_that_brought_no_page_is_not_revised_any_more(trained: Scent) -> None:
    trained.revisions()
    gone = "http://birds.example/30.html"
    trained.learn(trained.lost(Lease(id=checksum(gone), url=gone, host="birds.example")))
    crawl(trained, small_web(30)[-8:])
    assert checksum(gone) not in {link.id for link in trained.revisions()}


def secure(page: Page) -> Page:
    return replace(page, url=page.url.replace("http:", "https:"))


def learn_in_two_runs(samples: list[bytes], stop: int, first: Scent, resumed: Scent) -> None:
    """Have one strategy learn so many samples, and another take over from what that one saved."""
    for sample in samples[:stop]:
        first.learn(sample)
    resumed.load(first.save())
    for sample in samples[stop:]:
        resumed.learn(sample)


def crawl_redirected(strategy: Scent, pages: list[Page]) -> list[bytes]:
    """Crawl pages whose links all lead to http, and are redirected to https."""
    samples = crawl(strategy, pages[:1])
    for at, page in enumerate(pages[1:], 1):
        samples.append(strategy.moved(lease_of(page), secure(page).url))
        strategy.learn(samples[-1])
        samples += crawl(strategy, [secure(page)], first=at)
    return samples


def test_links_that_are_redirected_teach_as_much_as_others(trained: Scent) -> None:
    redirected = Scent(Topic("bird heron"))
    crawl_redirected(redirected, small_web())
    assert len(trained._links.evidence.rows) > 20
    assert redirected._link_model.learned.tolist() == trained._link_model.learned.tolist()
    bird = small_web()[4]
    assert redirected._links.parents(checksum(secure(bird).url))
    assert redirected.judge(secure(bird)) == trained.judge(bird)
    assert redirected.figures() == trained.figures()


def test_redirects_survive_a_restart() -> None:
    straight, first, resumed = (Scent(Topic("bird heron")) for _ in range(3))
    samples = crawl_redirected(straight, small_web())
    learn_in_two_runs(samples, 30, first, resumed)
    assert resumed.save() == straight.save()


def test_a_user_can_overrule_the_judge(trained: Scent) -> None:
    page = next(page for page in small_web() if "banks" in page.url)
    before = trained.judge(page).relevance
    for other in small_web()[2:20:2]:
        assert "banks" in other.url
        trained.learn(trained.feedback(other.terms, True, other.url))
    assert trained.judge(page).relevance > before


def test_a_page_that_was_thinned_out_can_be_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "MAX_PAGES", 30)
    strategy, pages = Scent(Topic("bird heron")), small_web()
    crawl(strategy, pages)
    kept = set(strategy._judge.corpus.kept.tolist())
    number, page = next((n, page) for n, page in enumerate(pages) if n not in kept and "banks" in page.url)
    before, read = strategy.judge(page).parts["text"], strategy._judge.pages
    resumed = Scent(Topic("bird heron"))
    resumed.load(strategy.save())
    for each in (strategy, resumed):
        each.learn(each.feedback(page.terms, True, page.url))
        assert number in each._judge.corpus.kept
        assert each._judge.pages == read
        assert each.judge(page).parts["text"] > before
    assert resumed.save() == strategy.save()


def test_a_mark_replaces_what_was_said_of_the_page_before(trained: Scent) -> None:
    seed, page = small_web()[0], small_web()[1]
    read = trained._judge.pages
    trained.learn(trained.feedback(seed.terms, True, seed.url))
    assert trained._judge.marks[0] == 1.0
    trained.learn(trained.feedback(seed.terms, False, seed.url))
    assert trained._judge.marks[0] == -1.0
    trained.learn(trained.feedback(page.terms, False, page.url))
    trained.learn(trained.feedback(page.terms, True, page.url))
    assert trained._judge.marks[1] == 1.0
    assert trained._judge.pages == read, "no page was added"


def test_a_page_that_was_never_read_is_added_once(trained: Scent) -> None:
    read, url = trained._judge.pages, "http://elsewhere.example/"
    for on in (True, False):
        trained.learn(trained.feedback({"loan": 3, "bank": 2}, on, url))
    assert trained._judge.marks[read:] == [-1.0]
    gone = "http://birds.example/30.html"
    trained.learn(trained.lost(Lease(id=checksum(gone), url=gone, host="birds.example")))
    for on in (True, False):
        trained.learn(trained.feedback({"loan": 3, "bank": 2}, on, gone))
    assert trained._judge.marks[read:] == [-1.0, -1.0]


def test_what_the_user_says_of_a_page_is_its_relevance(trained: Scent) -> None:
    bird, bank = small_web()[3:5]
    before = trained.judge(bird), trained.judge(bank)
    assert (before[0].relevant, before[1].relevant) == (True, False)
    trained.learn(trained.feedback(bird.terms, False, bird.url))
    trained.learn(trained.feedback(bank.terms, True, bank.url))
    for more in range(2):
        assert (trained.judge(bird).relevance, trained.judge(bird).relevant) == (0.0, False)
        assert (trained.judge(bank).relevance, trained.judge(bank).relevant) == (1.0, True)
        assert trained._link_model.relevances.rows[3:5].tolist() == [0.0, 1.0]
        rows = np.array([trained._links.rows[checksum(page.url)] for page in (bird, bank)])
        assert trained._links.targets["counted"].rows[rows].all()
        assert trained._links.targets["counted_as"].rows[rows] == pytest.approx([0, 1], abs=0.02)
        crawl(trained, small_web(40)[50 + 5 * more :], first=60)
    again = Scent(Topic("bird heron"))
    again.load(trained.save())
    assert again.judge(bird).relevance == 0.0
    assert again.save() == trained.save()


def test_seeds_are_judged_unless_the_user_speaks_of_them(trained: Scent) -> None:
    seed = small_web()[0]
    assert 0.0 < trained.judge(seed).relevance < 1.0
    trained.learn(trained.feedback(seed.terms, True, seed.url))
    assert trained.judge(seed).relevance == 1.0


def test_figures_follow_the_user(trained: Scent) -> None:
    before, bird, bank = trained.figures(), *small_web()[1:3]
    for on in (True, False):
        trained.learn(trained.feedback(bird.terms, on, bird.url))
        trained.learn(trained.feedback(bank.terms, not on, bank.url))
    after = trained.figures()
    assert trained.progress.relevances.rows[1:3].tolist() == [0.0, 1.0]
    assert after.relevant == pytest.approx(trained.progress.relevances.rows.sum())
    assert after.marginal == pytest.approx(after.harvest)
    assert (before.hosts, after.hosts) == (1, 2)
    for page in small_web()[2::2]:
        trained.learn(trained.feedback(page.terms, False, page.url))
    assert trained.figures().hosts == 1
    figures = trained.figures()
    trained.learn(trained.feedback({"loan": 3}, True, "http://elsewhere.example/"))
    assert trained.figures().relevant == pytest.approx(figures.relevant, rel=0.01)
    assert trained.figures().pages == figures.pages, "what was not fetched is no part of them"


def test_marks_survive_a_restart(trained: Scent) -> None:
    trained.learn(trained.feedback({"loan": 3, "bank": 2}, True))
    other = Scent(Topic("bird heron"))
    other.load(trained.save())
    assert other.save() == trained.save()


def test_example_pages_are_enough_of_a_topic() -> None:
    examples = [Document.from_text(BIRDS * 3), Document.from_text(NESTS * 3)]
    strategy = Scent(Topic(relevant=examples, irrelevant=[Document.from_text(BANKS)]))
    crawl(strategy, small_web())
    birds, banks = small_web()[1:3]
    assert strategy.judge(birds).relevance > strategy.judge(banks).relevance


def test_a_crawl_that_read_no_page_goes_on_from_where_it_was_saved() -> None:
    straight, stopped, resumed = (Scent(Topic("bird heron")) for _ in range(3))
    resumed.load(stopped.save())
    assert resumed.outlook()["pages"] == 0
    for sample in crawl(straight, small_web()):
        resumed.learn(sample)
    assert resumed.save() == straight.save()


def test_resuming_in_the_middle_ends_in_the_same_state() -> None:
    straight, resumed = Scent(Topic("bird heron")), Scent(Topic("bird heron"))
    samples = crawl(straight, small_web())
    first = Scent(Topic("bird heron"))
    learn_in_two_runs(samples, 30, first, resumed)
    assert resumed.save() == straight.save()


def test_a_word_that_no_page_has_weighs_the_same_after_a_restart() -> None:
    straight, resumed = Scent(Topic("bird heron penguin")), Scent(Topic("bird heron penguin"))
    crawl(straight, small_web())
    resumed.load(straight.save())
    page = make_page("http://new.example/", "Untitled", "Some pages. " * 4, {"/1.html": "penguin"})
    scores = [strategy.score(page, strategy.judge(page), lease_of(page)) for strategy in (straight, resumed)]
    assert scores[0].values.tolist() == scores[1].values.tolist()


@pytest.mark.parametrize(
    ("option", "share"), [("exploration", -1.0), ("exploration", 5.0), ("learning", 1.5)]
)
def test_shares_are_between_nothing_and_all(option: str, share: float) -> None:
    with pytest.raises(InputError, match=f"'{option}' of 'scent' is a number from 0 to 1"):
        build_strategy("scent", Topic("bird"), {option: share})


def test_figures_are_plausible(trained: Scent) -> None:
    figures = trained.figures()
    assert figures.pages == 49
    assert 0 < figures.recall <= 1
    assert 0 <= figures.expected <= 1
    assert trained.outlook()["harvest"] == figures.harvest
    assert trained.stop_reason() == ""


def test_says_why_to_stop() -> None:
    strategy = Scent(Topic("bird"))
    for relevance in [1.0] * 600 + [0.0] * 1200:
        strategy.progress.record(strategy.progress.pages, relevance, 0.0, "a.example")
    assert "relevant pages a fetch" in strategy.stop_reason()


def test_a_full_table_goes_on_from_where_it_was_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lagotto.focus.strategies.scent.strategy.LinkTable", partial(LinkTable, 64))
    straight, first, resumed = (Scent(Topic("bird heron")) for _ in range(3))
    samples = crawl(straight, small_web())
    learn_in_two_runs(samples, 40, first, resumed)
    assert len(straight._links) == 64
    assert resumed.save() == straight.save()


def test_a_seed_without_the_words_is_no_example() -> None:
    """Such a page is only a place to start from: what it says must not be taken for the topic."""
    finance = make_page("http://hub.example/", "Links", BANKS * 4)
    birds = make_page("http://hub.example/", "Links", f"{BIRDS} {BANKS * 4}")
    marks = []
    for seed in (finance, birds):
        strategy = Scent(Topic("bird heron"))
        [sample] = crawl(strategy, [seed])
        taken = sampling.decode(sample)
        assert isinstance(taken, sampling.PageSample)
        assert taken.seed
        marks.append(taken.mark)
    assert marks == [0.0, 1.0]


def test_a_mark_that_is_taken_back_leaves_no_trace_in_judgements() -> None:
    marked, plain = Scent(Topic("bird heron")), Scent(Topic("bird heron"))
    for strategy in (marked, plain):
        for page in fictional_pages():
            judgement = strategy.judge(page)
            strategy.score(page, judgement, lease_of(page))
            sample = strategy.sample(page, judgement, lease_of(page))
            strategy.learn(sample)
    page = fictional_pages()[0]
    for on in (False, None):
        marked.learn(marked.feedback(page.terms, on, page.url))
        assert (marked.judge(page).relevance == 0.0) == (on is False)
    plain._refit(now=True)
    assert marked.judge(page).relevance == pytest.approx(plain.judge(page).relevance, abs=0.05)
