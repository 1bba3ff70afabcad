"""Taking commands: each changes the parts of a crawl, and is committed together with all that it changes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from lagotto.base.batch import Batch, Command, Mark, Patterns, Taken
from lagotto.base.errors import InputError
from lagotto.base.events import CommandTaken, Marked
from lagotto.base.options import Change
from lagotto.base.text import count_terms
from lagotto.base.urls import host_of, site_of
from lagotto.base.views import PageDetails, TakenCommand
from lagotto.crawling.config import Config, fields
from lagotto.crawling.steering import commands
from lagotto.crawling.steering.commands import AnyCommand, decode
from lagotto.crawling.steering.effect import InEffect
from lagotto.crawling.worker.memory import as_scores
from lagotto.crawling.worker.seeding import seed_lease
from lagotto.crawling.worker.worker import Worker
from lagotto.focus.strategies.base import Strategy

NEXT_START = "takes effect when the crawl is resumed"


def change_at_once(worker: Worker, config: Config, name: str) -> None:
    """Have a running crawl use the value of an option that is declared to change at once."""
    limits, conclusions = worker.limits, worker.conclusions
    match name:
        case "max_pages":
            limits.pages = config.max_pages
        case "max_time":
            limits.seconds = config.max_time
        case "max_bytes":
            limits.bytes = config.max_bytes
        case "max_requests":
            limits.requests = config.max_requests
        case "stop":
            limits.stop_by_itself = config.stop == "auto"
        case "concurrency":
            limits.concurrency = config.concurrency
        case "delay":
            worker.visitor.delays.set_base(config.delay)
        case "ip_delay":
            # Behind a proxy the targets' addresses are not known.
            worker.frontier.turns.ip_delay = 0.0 if config.proxy else config.ip_delay
        case "depth":
            conclusions.scope.depth = config.depth
        case "host_limit":
            worker.visitor.hosts.limit = config.host_limit
        case "retries":
            conclusions.retries = config.retries
        case "retry_wait":
            conclusions.retry_wait = config.retry_wait
        case _:
            raise NotImplementedError(f"'{name}' is declared to change at once, and nothing here does so")


class Phrased(Protocol):
    """A parser, as far as commands change it."""

    phrases: tuple[str, ...]
    """What it takes as one term each."""


class Taking:
    """Takes the commands that were sent to one crawl, in their order."""

    def __init__(
        self,
        worker: Worker,
        effect: InEffect,
        parser: Phrased,
        patience_of: Callable[[Config], float],
    ) -> None:
        """`effect` is what holds now; its host rules are those that the worker uses."""
        self.worker = worker
        self.effect = effect
        self.parser = parser
        self.patience_of = patience_of
        self._known = {each.n for each in worker.store.reader().commands() if each.taken_at is not None}
        """Commands that were taken, by this worker or before it began, or that it has followed."""
        self.running = False
        """Whether the worker runs; commands that wait when a crawl is opened are taken before that."""

    async def take(self) -> int:
        """Take all commands that wait; returns how many there were."""
        waiting = await self.worker.store.commands()
        for sent in waiting:
            await self._take(sent)
        return len(waiting)

    async def follow(self, taken: int) -> int:
        """Do what commands ask for that another worker has taken; `taken` is how many there are now."""
        if taken == len(self._known):
            return 0
        sent = [each for each in self.worker.store.reader().commands() if each.taken_at is not None]
        new = [each for each in sent if each.n not in self._known]
        self._known.update(each.n for each in new)
        for each in new:
            if each.applied:
                await self._follow(each)
        return len(new)

    async def _follow(self, taken: TakenCommand) -> None:
        """What is stored was committed by the worker that took it; the rest happens here."""
        command, batch = decode(taken.content), Batch()
        match command:
            case None:
                return
            case commands.Stop() | commands.Mark():
                self.effect.change(command)
            case _:
                with suppress(InputError):
                    self._apply(command, Command(taken.content, taken.who, taken.at, taken.n), batch)
        if batch.patterns is not None:
            await self.worker.frontier.load()
        self.worker.wake()

    async def _take(self, sent: Command) -> None:
        worker, command, batch = self.worker, decode(sent.content), Batch()
        known = self._page(command.url) if isinstance(command, commands.Mark) else None
        try:
            outcome, applied = self._apply(command, sent, batch), True
        except InputError as error:
            outcome, applied = str(error), False
        revisions = worker.memory.revisions()
        batch.scores += as_scores(revisions)
        batch.taken = [Taken(sent.n, outcome, applied)]
        await worker.commit(batch, revisions)
        self._known.add(sent.n)
        if batch.patterns is not None:
            await worker.frontier.load()
        if isinstance(command, commands.Mark) and known is not None:
            now = self._page(command.url)
            worker.statistics.relevant += bool(now and now.relevant) - bool(known.relevant)
            if batch.marks:
                worker.listeners.tell(Marked(command.url, command.on, sent.who, known.number))
        content = sent.content.decode("utf-8", "replace")
        worker.listeners.tell(CommandTaken(sent.n, content, sent.who, outcome, applied))
        worker.wake()

    def _apply(self, command: AnyCommand | None, sent: Command, batch: Batch) -> str:
        """Do what the command asks for; what must be committed goes into the batch. Returns a sentence."""
        if command is None:
            raise InputError("this version of Lagotto does not know the command")
        before = self.effect.config
        self.effect.change(command)
        match command:
            case commands.Pause():
                return self._pause()
            case commands.Unpause():
                self.worker.go_on()
            case commands.Stop():
                return self._stop(sent)
            case commands.SetOptions(values=values):
                return self._set_options(list(values))
            case commands.AddSeeds(urls=urls):
                return self._add_seeds(urls, batch)
            case commands.Exclude() | commands.Include():
                return self._set_patterns(batch, before) or "no queued link is set aside"
            case commands.Unexclude() | commands.Uninclude():
                return self._set_patterns(batch, before) or "links that match return"
            case (
                commands.BlockHost(host=host)
                | commands.UnblockHost(host=host)
                | commands.BoostHost(host=host)
                | commands.LimitHost(host=host)
            ):
                self.worker.frontier.look_again([host])
            case commands.Mark():
                return self._mark(command, sent, batch)
            case commands.EditTopic(words=words):
                return self._edit(words, batch)
        return ""

    def _pause(self) -> str:
        self.worker.pause()
        under_way = self.worker.frontier.in_flight
        return f"{under_way} requests under way are finished first" if under_way else ""

    def _stop(self, sent: Command) -> str:
        if not self.running:
            raise InputError("the crawl was not running any more")
        self.worker.stop(f"stopped by {sent.who or 'a command'}", everywhere=True)
        return ""

    def _set_options(self, names: list[str]) -> str:
        config, later = self.effect.config, []
        for name in names:
            if fields()[name].option.change == Change.AT_ONCE:
                change_at_once(self.worker, config, name)
            else:
                later.append(name.replace("_", "-"))
        self.worker.limits.patience = self.patience_of(config)
        return f"{', '.join(later)} {NEXT_START}" if later and self.running else ""

    def _add_seeds(self, urls: list[str], batch: Batch) -> str:
        scope, config = self.worker.conclusions.scope, self.effect.config
        if config.same_site:
            scope.set_sites({site_of(host_of(url)) for url in config.seeds})
        reader = self.worker.store.reader()
        histories = {url: reader.history(url) for url in urls}
        done = [url for url, history in histories.items() if history and history.page is not None]
        batch.seeds = [seed_lease(url) for url in urls]
        if not done:
            return ""
        return "fetched already" if len(done) == len(urls) else f"{len(done)} of them fetched already"

    def _set_patterns(self, batch: Batch, before: Config) -> str:
        """Use the patterns of the configuration; those that take too long are refused."""
        config, scope = self.effect.config, self.worker.conclusions.scope
        patterns = Patterns(config.include, config.exclude)
        try:
            going = self.worker.store.reader().refused_by(patterns, 0).count
        except InputError:
            self.effect.config = before
            raise
        scope.set_patterns(config.include, config.exclude)
        batch.patterns = patterns
        return f"{going} queued links set aside" if going else ""

    def _mark(self, mark: commands.Mark, sent: Command, batch: Batch) -> str:
        page = self._page(mark.url)
        if page is None or page.relevance is None:
            raise InputError(f"{mark.url} is no page of this crawl")
        batch.marks = [Mark(mark.url, mark.on, sent.who, sent.at)]
        strategy = self.worker.memory.strategy
        if type(strategy).feedback is Strategy.feedback:
            return f"nothing is learned from that, since strategy '{strategy.name}' learns from no feedback"
        terms = self._terms(page)
        if terms is None:
            return "nothing is learned from that page, since its text was not kept"
        sample = strategy.feedback(terms, mark.on, mark.url)
        if sample is not None:
            batch.samples = [self.worker.memory.learn_sample(sample)]
        return ""

    def _edit(self, words: dict[str, float], batch: Batch) -> str:
        strategy = self.worker.memory.strategy
        sample = strategy.edit(words)
        if sample is None:
            raise InputError(f"strategy '{strategy.name}' has no words to change now")
        self.parser.phrases = tuple(dict.fromkeys([*self.parser.phrases, *self.effect.phrases]))
        batch.samples = [self.worker.memory.learn_sample(sample)]
        return ""

    def _page(self, url: str) -> PageDetails | None:
        history = self.worker.store.reader().history(url)
        return history.page if history is not None else None

    def _terms(self, page: PageDetails) -> dict[str, int] | None:
        """Terms of a page in its own language, None if its text was not kept."""
        text = self.worker.store.reader().text(page.number)
        language = page.language or self.effect.config.language
        return None if text is None else count_terms(text, language, self.parser.phrases)
