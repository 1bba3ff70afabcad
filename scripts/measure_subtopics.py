"""Measure subtopics against the labels of editors, beside two usual ways to group pages.

    python scripts/measure_subtopics.py WEBS [--tasks geography archive] [--encoder]

WEBS is the folder of the frozen webs. A task is a harvest whose pages have sub-labels: subjects of an
encyclopedia, sections of a software archive, the site that a page is from. Prints for each method the
adjusted Rand index, the share of groups whose name has a term of the majority's label, and CPU seconds; then
what becomes of the groups of half a harvest when it doubles.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.cluster import HDBSCAN, AgglomerativeClustering, KMeans
from sklearn.decomposition import PCA
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.metrics import adjusted_rand_score

from lagotto.base.text import terms
from lagotto.base.urls import host_of
from lagotto.focus.judging.encoder import Encoder, find_encoder, opening
from lagotto.focus.judging.similarity import unit
from lagotto.harvest.subtopics.saved import continued
from lagotto.harvest.subtopics.sorting import labels_for, learn
from lagotto.harvest.subtopics.space import Asked, ReadPage
from lagotto.lab.webs.importing import import_web
from lagotto.lab.webs.parsing import analyse
from lagotto.lab.webs.web import FrozenWeb

OF_HOST = 100
"""Pages that a host may have in a task, at most."""
MOST = 2500
"""Pages of a task, at most."""
SITE = 15
"""Pages that a site must have to be a sub-label."""
SUBJECTS = {
    "geography": "Geography.",
    "biology": "Science.Biology.",
    "humanities": "People.,Art,Religion,History.",
    "sciences": "Science.Physics.Space,Mathematics,IT,Science.Biology.Health,Science.Biology.Plants,"
    "Geography.Storms",
    "everyday life": "Everyday_life.,IT,Art,Science.Biology.Health",
    "encyclopedia": "Geography.,Science.Biology.,People.,Art,Religion,History.,Everyday_life.,IT,Mathematics,"
    "Science.Physics.",
}
SECTIONS = {
    "archive": "",
    "science": "astronomy,chemistry,medicine,mathematics,engineering,machine-learning",
    "systems": "networking,openstack,web-servers,mail-news,desktop-gui,hamradio",
    "writing": "typesetting,editors,linguistics,lang-,audio-music,games",
}
SITES = ("astronomy", "mathematics", "networking", "audio-music", "medicine", "games")


class Task(NamedTuple):
    """Pages with the label of each."""

    pages: list[ReadPage]
    openings: list[str]
    labels: list[str]
    terms: dict[str, set[str]]
    """Label -> terms of its name and of the words that a user would type for it."""


class Grouped(NamedTuple):
    """What a method made of a task."""

    labels: np.ndarray
    names: list[str]
    seconds: float


class Web:
    """A frozen web with the labels of its editors."""

    def __init__(self, folder: Path, scratch: Path) -> None:
        path = scratch / f"{folder.name}.web"
        import_web([str(folder / "pages.jsonl.zst")], path, progress=lambda pages, share: None)
        self.web = FrozenWeb.open(path)
        self.labels: defaultdict[str, set[str]] = defaultdict(set)
        self.words: dict[str, str] = {}
        for name in ("labels", "more-labels"):
            if (folder / f"{name}.csv").exists():
                with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
                    for row in csv.DictReader(file):
                        self.labels[row["url"]].add(row["topic"])
        for name in ("topics", "more-topics"):
            if (folder / f"{name}.json").exists():
                topics = json.loads((folder / f"{name}.json").read_text("utf-8"))
                self.words |= {topic: given["words"] for topic, given in topics.items()}

    def by_label(self, prefixes: str) -> dict[str, str]:
        """URL -> its label, of pages that have exactly one of those that begin so."""
        wanted = prefixes.split(",")
        found = {}
        for url, labels in self.labels.items():
            fitting = [label for label in labels if any(label.startswith(each) for each in wanted)]
            if len(fitting) == 1:
                found[url] = fitting[0]
        return found

    def by_site(self, topic: str) -> dict[str, str]:
        """URL -> its host, of a topic's pages on hosts that have several."""
        urls = [url for url, labels in self.labels.items() if topic in labels]
        sizes = Counter(map(host_of, urls))
        return {url: host_of(url) for url in urls if sizes[host_of(url)] >= SITE}

    def task(self, labelled: dict[str, str]) -> Task:
        """The task of these pages, drawn at random if they are many."""
        urls = sorted(labelled)
        random.Random(0).shuffle(urls)
        task = Task([], [], [], {})
        hosts: Counter[str] = Counter()
        single = len(set(map(host_of, urls))) == 1
        for url in urls:
            frozen = self.web.page(url)
            if frozen is None or (hosts[host_of(url)] >= OF_HOST and not single) or len(task.pages) >= MOST:
                continue
            hosts[host_of(url)] += 1
            page = analyse(self.web, frozen)
            task.pages.append(ReadPage(host_of(url), page.title, page.text, page.language or "en"))
            task.openings.append(opening(page.title, page.description, page.text))
            task.labels.append(labelled[url])
        for label in set(task.labels):
            spelled = label.replace("_", " ").replace(".", " ").replace("-", " ")
            task.terms[label] = {*terms(spelled), *terms(self.words.get(label, ""))}
        return task


def tasks(webs: Path, scratch: Path, wanted: Sequence[str]) -> Iterable[tuple[str, Task]]:
    """All tasks by name, or those that are wanted."""

    def is_wanted(name: str) -> bool:
        return not wanted or name in wanted

    if any(map(is_wanted, SUBJECTS)):
        encyclopedia = Web(webs / "wikischools", scratch)
        for name in filter(is_wanted, SUBJECTS):
            yield name, encyclopedia.task(encyclopedia.by_label(SUBJECTS[name]))
    names = [*SECTIONS, *(f"sites of {topic}" for topic in SITES)]
    if any(map(is_wanted, names)):
        archive = Web(webs / "debdocs", scratch)
        for name in filter(is_wanted, SECTIONS):
            yield name, archive.task(archive.by_label(SECTIONS[name]))
        for topic in SITES:
            if is_wanted(f"sites of {topic}"):
                yield f"sites of {topic}", archive.task(archive.by_site(topic))


def by_lagotto(task: Task) -> Grouped:
    """As `lagotto subtopics` does."""
    started = time.process_time()
    learned = learn(task.pages)
    assert learned is not None
    names = [label.name for label in labels_for(learned, Asked("", "en"), {})]
    return Grouped(learned.labels, names, time.process_time() - started)


def by_k_means(task: Task, count: int) -> Grouped:
    """k-means on tf-idf vectors."""
    started = time.process_time()
    vectorizer = TfidfVectorizer(stop_words="english", sublinear_tf=True, min_df=2, max_df=0.5)
    vectors = vectorizer.fit_transform(_texts(task))
    labels = KMeans(count, n_init=4, random_state=0).fit_predict(vectors)
    return Grouped(labels, class_names(task, labels), time.process_time() - started)


def by_density(task: Task, vectors: np.ndarray) -> Grouped:
    """HDBSCAN on sentence vectors brought down to few dimensions; outliers join the nearest group."""
    started = time.process_time()
    few = PCA(10, random_state=0).fit_transform(vectors)
    labels = HDBSCAN(min_cluster_size=max(10, len(vectors) // 100), copy=True).fit_predict(few)
    if labels.max() < 0:
        labels = np.zeros_like(labels)
    centres = unit(np.array([vectors[labels == group].mean(axis=0) for group in range(labels.max() + 1)]))
    labels = np.where(labels < 0, np.argmax(vectors @ centres.T, axis=1), labels)
    return Grouped(labels, class_names(task, labels), time.process_time() - started)


def by_merging(task: Task, vectors: np.ndarray, count: int) -> Grouped:
    """Agglomerative clustering of sentence vectors, by Ward's method."""
    started = time.process_time()
    labels = AgglomerativeClustering(count).fit_predict(vectors)
    return Grouped(labels, class_names(task, labels), time.process_time() - started)


def class_names(task: Task, labels: np.ndarray) -> list[str]:
    """The strongest word or pair of words of each group by class-based tf-idf."""
    joined = [
        " ".join(text for text, label in zip(_texts(task), labels, strict=True) if label == group)
        for group in range(labels.max() + 1)
    ]
    vectorizer = CountVectorizer(stop_words="english", ngram_range=(1, 2), max_features=50_000)
    counts = vectorizer.fit_transform(joined).toarray().astype(float)
    words = counts.sum() / len(joined)
    weights = (
        counts / np.maximum(counts.sum(axis=1, keepdims=True), 1) * np.log(1 + words / counts.sum(axis=0))
    )
    names = vectorizer.get_feature_names_out()
    return [str(names[at]) for at in weights.argmax(axis=1)]


def _texts(task: Task) -> list[str]:
    return [f"{page.title} {page.text[:4000]}" for page in task.pages]


def name_hits(task: Task, grouped: Grouped) -> float:
    """Share of groups whose name has a term of the label that most of their pages have."""
    hits = 0
    for group, name in enumerate(grouped.names):
        inside = Counter(label for label, at in zip(task.labels, grouped.labels, strict=True) if at == group)
        if inside:
            hits += bool(set(terms(name)) & task.terms[inside.most_common(1)[0][0]])
    return hits / len(grouped.names)


def kept_by_growth(task: Task) -> tuple[float, float]:
    """Share of half a harvest's pages that stay in their group when it doubles, and the index of all then."""
    half = len(task.pages) // 2
    first = learn(task.pages[:half])
    assert first is not None
    old = np.concatenate([first.labels, np.full(len(task.pages) - half, -1)])
    second = learn(task.pages, 0, old, len(first.centres))
    assert second is not None
    same = continued(old, second.labels, len(first.centres), len(second.centres))
    pairs = zip(second.labels[:half].tolist(), first.labels.tolist(), strict=True)
    stays = [same.get(new, -2) == before for new, before in pairs]
    return float(np.mean(stays)), adjusted_rand_score(task.labels, second.labels)


def methods(task: Task, encoder: Encoder | None) -> Iterator[tuple[str, Grouped]]:
    """What each method makes of a task; those that need a number of groups get Lagotto's."""
    own = by_lagotto(task)
    yield "lagotto", own
    yield "k-means on tf-idf", by_k_means(task, len(own.names))
    if encoder is not None:
        vectors = encoder.encode(task.openings)
        yield "MiniLM, HDBSCAN", by_density(task, vectors)
        yield "MiniLM, Ward", by_merging(task, vectors, len(own.names))


def measure(options: argparse.Namespace) -> None:
    encoder = find_encoder() if options.encoder else None
    found: defaultdict[str, list[tuple[float, float, float]]] = defaultdict(list)
    kept = []
    with tempfile.TemporaryDirectory() as scratch:
        for name, task in tasks(options.webs, Path(scratch), options.tasks):
            print(f"{name}: {len(task.pages)} pages, {len(task.terms)} labels")
            for method, grouped in methods(task, encoder):
                index, hits = adjusted_rand_score(task.labels, grouped.labels), name_hits(task, grouped)
                found[method].append((index, hits, grouped.seconds))
                count = len(grouped.names)
                print(f"  {method:<18} {count:>3} groups, adjusted Rand {index:.3f}, names {hits:.2f}")
            stay, later = kept_by_growth(task)
            kept.append((stay, later))
            print(f"  when it doubles, {stay:.0%} stay in their group; adjusted Rand {later:.3f}", flush=True)
    for method, figures in found.items():
        index, hits, seconds = np.mean(figures, axis=0)
        print(f"{method}: adjusted Rand {index:.3f}, names {hits:.2f}, {seconds:.1f} s of CPU a task")
    stay, later = np.mean(kept, axis=0)
    print(f"of half a harvest, {stay:.0%} stay when it doubles; adjusted Rand then {later:.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("webs", type=Path, help="folder of the frozen webs")
    parser.add_argument("--tasks", nargs="*", default=[], help="only these tasks")
    parser.add_argument("--encoder", action="store_true", help="compare with the packaged encoder too")
    measure(parser.parse_args())
