"""Link scores as they are shown."""

from __future__ import annotations

from lagotto.records import SEED_SCORE


def score_text(score: float) -> str:
    """A link score; a seed of the user has none, since it comes first anyway."""
    return "seed" if score >= SEED_SCORE else f"{score:.3f}"
