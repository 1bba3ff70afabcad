"""Requests for the same freshness on a simulated changing web: a fixed interval against intervals that adapt.

    python benchmarks/bench_revisit.py

2,000 pages on 40 hosts change for 240 days. Each host has four kinds of URL, and each kind its own pace. The
pages of a kind differ among themselves by a factor of about two. Freshness is the share of pages that are as
we have them, on average over the last 180 days. The requests of the adaptive policy at the freshness of the
fixed one are interpolated between its runs.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

from lagotto.crawling.revisit.plan import DAY, HOUR, Rates, intervals, least_gain

PAGES, HOSTS, KINDS = 2000, 40, 4
DAYS, WARM_UP = 240, 60
STEP = 2 * HOUR
MIXES = {
    "busy": [(0.23, 3.0), (0.15, 1 / 3), (0.16, 1 / 15), (0.17, 1 / 60), (0.29, 1 / 365)],
    "mixed": [(0.45, 1 / 1000), (0.25, 1 / 90), (0.15, 1 / 20), (0.09, 1 / 4), (0.06, 6.0)],
    "quiet": [(0.70, 1 / 2000), (0.13, 1 / 30), (0.12, 1 / 5), (0.05, 12.0)],
}
"""(share of the kinds of URL, changes a day). `busy` has the shares that Cho and Garcia-Molina saw in 1999 on
popular sites; `quiet` is a harvest of articles and documentation, with some front pages."""
FIXED, ADAPTIVE = 7, (7, 10, 14, 21)
"""Mean intervals, in days."""


Visit = Callable[[np.ndarray, float, np.ndarray], np.ndarray]
"""Takes the pages that were visited, the time and which had changed; returns when they are due next."""


class Web:
    """Pages that change at random."""

    def __init__(self, paces: list[tuple[float, float]], seed: int) -> None:
        self.random = np.random.default_rng(seed)
        shares = np.array([share for share, _ in paces])
        pace = np.array([changes for _, changes in paces])
        of_kind = pace[self.random.choice(len(paces), HOSTS * KINDS, p=shares)]
        kinds = self.random.integers(0, HOSTS * KINDS, PAGES)
        self.parts = [(int(kind) // KINDS, int(kind)) for kind in kinds]
        self.rates = of_kind[kinds] * self.random.lognormal(0.0, 0.7, PAGES) / DAY
        self.chance = -np.expm1(-self.rates * STEP)


def fixed(web: Web, every: float) -> tuple[float, float]:
    """Freshness, and requests a page and day, with one interval for all pages."""
    return run(
        web, web.random.uniform(0, every, PAGES), lambda places, now, stale: np.full(len(places), now + every)
    )


def adaptive(web: Web, every: float) -> tuple[float, float]:
    """The same with the intervals that `lagotto revisit --watch` takes."""
    return run(web, web.random.uniform(0, every, PAGES), Adapting(web, every).visit)


class Adapting:
    """What `revisiting.plan.Plan` does, without a crawl."""

    def __init__(self, web: Web, every: float) -> None:
        self.every = every
        self.rates, self.weights = Rates(web.parts), np.ones(PAGES)
        self.last = np.zeros(PAGES)
        self.learn()

    def learn(self) -> None:
        self.rates.learn()
        self.chances, self.since = self.rates.probabilities(), 0
        self.least = least_gain(self.chances, self.weights, self.every)

    def visit(self, places: np.ndarray, now: float, stale: np.ndarray) -> np.ndarray:
        for place, changed in zip(places.tolist(), stale.tolist(), strict=True):
            self.rates.observe(place, now - self.last[place], changed)
            self.chances[place] = self.rates.probabilities_of(place)
        self.last[places] = now
        self.since += len(places)
        if self.since >= PAGES // 10:
            self.learn()
        return now + intervals(self.chances[places], self.weights[places], self.least)


def run(web: Web, due: np.ndarray, visit: Visit) -> tuple[float, float]:
    """Let the web change and visit the pages that are due."""
    stale = np.zeros(PAGES, bool)
    fresh, requests, steps = 0.0, 0, 0
    for now in np.arange(STEP, DAYS * DAY, STEP):
        stale |= web.random.random(PAGES) < web.chance
        places = np.flatnonzero(due <= now)
        if len(places):
            due[places] = visit(places, float(now), stale[places])
            stale[places] = False
        if now >= WARM_UP * DAY:
            fresh += 1 - float(stale.mean())
            requests += len(places)
            steps += 1
    return fresh / steps, requests / PAGES / (DAYS - WARM_UP)


Policy = Callable[[Web, float], tuple[float, float]]


def measured(policy: Policy, mix: str, days: float, seeds: int) -> np.ndarray:
    """Mean freshness, and mean requests a page and day."""
    runs = [policy(Web(MIXES[mix], seed), days * DAY) for seed in range(seeds)]
    return np.asarray(np.mean(runs, axis=0))


def main() -> None:
    """Print the table of docs/revisit.md."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=3, help="simulated webs of each mix")
    seeds = parser.parse_args().seeds
    print("| web | freshness, every 7 days | as many requests, adapting | requests for the same freshness |")
    print("|---|---|---|---|")
    for mix in MIXES:
        freshness, requests = measured(fixed, mix, FIXED, seeds)
        runs = np.array([measured(adaptive, mix, days, seeds) for days in ADAPTIVE])
        order = np.argsort(runs[:, 0])
        needed = np.interp(freshness, runs[order, 0], runs[order, 1])
        print(f"| {mix} | {freshness:.3f} | {runs[0, 0]:.3f} | {100 * needed / requests:.0f} % |", flush=True)


if __name__ == "__main__":
    main()
