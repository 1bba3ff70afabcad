"""Kill -9 of the worker that leads, again and again: nothing of what was learned is lost.

A trigger in the database copies every sample when it is committed. The reference is a strategy of its own
that learns these copies in their order, once and without a break. Workers write down their models on the
way. Each must be what the reference was after the same sample, also if the worker began from a snapshot.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import psycopg

from lagotto.base.batch import Restored
from lagotto.crawling import assembly
from lagotto.crawling import inputs as wanted
from lagotto.crawling.config import decode
from lagotto.crawling.worker.memory import replay
from lagotto.store import storage_at
from tests.cluster_trial import Trial
from tests.cluster_worker import checksum_of
from tests.postgres_server import Postgres

KILLS = 5
_COPY = """
CREATE TABLE "{schema}".learned (n bigint PRIMARY KEY, sample bytea NOT NULL);
CREATE FUNCTION "{schema}".copy() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO "{schema}".learned VALUES (NEW.n, NEW.sample); RETURN NEW; END $$;
CREATE TRIGGER copied AFTER INSERT ON "{schema}".samples FOR EACH ROW EXECUTE FUNCTION "{schema}".copy();
INSERT INTO "{schema}".learned SELECT n, sample FROM "{schema}".samples ON CONFLICT DO NOTHING;
"""


class Models(NamedTuple):
    """What came of comparing what workers had learned."""

    samples: int
    workers: int
    compared: int
    different: int

    def sentence(self) -> str:
        """The figures for people."""
        return (
            f"{self.samples} samples, {self.workers} workers wrote down {self.compared} models, "
            f"{self.different} differ from the one that learned without a break"
        )


class KillLeaders:
    """The act, and the comparison after it."""

    def __init__(self, postgres: Postgres, notes: Path) -> None:
        """Workers write what they have learned into the file `notes`."""
        self.postgres = postgres
        self.notes = notes
        self.location = ""
        self._schema = ""

    async def copy(self, trial: Trial) -> None:
        """Have the database copy every sample, before a snapshot lets the first ones be removed."""
        self.location, self._schema = trial.location, f"lagotto_{trial.name}"
        self.postgres.execute(_COPY.format(schema=self._schema))

    async def act(self, trial: Trial) -> None:
        """Kill whoever leads, `KILLS` times; another worker comes each time."""
        for number in range(1, KILLS + 1):
            await trial.served(trial.pages * number // (KILLS + 2))
            await trial.kill(await trial.leader())
            await trial.add()

    def compare(self) -> Models:
        """Compare what workers wrote down with a strategy that learned without a break."""
        config = decode(storage_at(self.location).config(), self.location)
        strategy = assembly.make_strategy(config, wanted.make_topic(config))
        with psycopg.connect(self.postgres.location) as db:
            rows = db.execute(f'SELECT n, sample FROM "{self._schema}".learned ORDER BY n'.encode())
            samples: dict[int, bytes] = dict(rows.fetchall())
        if min(samples) > 1:
            raise RuntimeError(f"samples were copied only from number {min(samples)} on; try again")
        noted = [line.split() for line in self.notes.read_text().splitlines()]
        last_learned = {int(last) for _, last, _ in noted}
        reference = {}
        for number, sample in samples.items():
            replay(strategy, Restored(samples=[sample]))
            if number in last_learned:
                reference[number] = checksum_of(strategy.save())
        different = sum(reference.get(int(last)) != model for _, last, model in noted)
        return Models(len(samples), len({pid for pid, *_ in noted}), len(noted), different)
