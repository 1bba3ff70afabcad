"""Training a network by back-propagation, as the paper of `neural` writes it down in its lines 1 to 19.

One update a sample. For an output unit Err_j = O_j(1 - O_j)(T_j - O_j); for a hidden unit
Err_j = O_j(1 - O_j) Σ_k Err_k·W_jk with the weights as they were; then W_ij += l·Err_j·O_i, θ_j += l·Err_j.
(The paper misprints two indices: line 6 sums W_ij·O_i, and line 12 sums over k, the next layer.)
Training ends when the mean square error of an epoch reaches the target, or after `max_epochs`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from lagotto.base.errors import InputError
from lagotto.focus.topic.features import choose_features
from lagotto.focus.topic.network import IRRELEVANT, RELEVANT, Confusion, Network, Settings, encode, sigmoid

Counts = Mapping[str, int]
Example = Counts | Sequence[Counts]
"""Term counts of a page, or of the pieces that it was cut into."""
Progress = Callable[[int, float], None]
"""Called after each epoch with its number, from 1, and its mean square error."""


def train(
    name: str,
    relevant: Sequence[Example],
    irrelevant: Sequence[Example],
    *,
    settings: Settings | None = None,
    held_out: float = 0.25,
    language: str = "en",
    trained_on: str = "pages",
    progress: Progress | None = None,
) -> Network:
    """Train a network on examples given by their term counts.

    The share `held_out` of both kinds is kept back, and the network's verdicts on it are counted. Pieces of
    one page are kept back together, for they are too much alike to test each other. A kind with fewer than
    four examples gives none away.
    """
    chosen = settings or Settings()
    yes, no = _in_pieces(relevant), _in_pieces(irrelevant)
    _check(chosen, yes, no, held_out)
    rng = np.random.default_rng(chosen.seed)
    learn_yes, test_yes = _split(yes, held_out, rng)
    learn_no, test_no = _split(no, held_out, rng)
    features = list(choose_features(learn_yes, learn_no, chosen.features))
    if not features:
        raise InputError("no word tells the relevant from the irrelevant examples; give more of them")
    index = {feature: place for place, feature in enumerate(features)}
    encoded = [encode(counts, index) for counts in [*learn_yes, *learn_no]]
    samples = [(np.array(places, np.intp), np.array(values)) for places, values in encoded]
    targets = np.zeros((len(samples), 2))
    targets[: len(learn_yes), RELEVANT] = 1.0
    targets[len(learn_yes) :, IRRELEVANT] = 1.0
    weights = _initial_weights(len(features), chosen.hidden, rng)
    curve = _back_propagate(weights, samples, targets, chosen, rng, progress)
    network = Network(
        name, features, weights, settings=chosen, language=language, trained_on=trained_on, curve=curve
    )
    if test_yes or test_no:
        network.held_out = evaluate(network, test_yes, test_no)
    return network


def evaluate(network: Network, relevant: Iterable[Counts], irrelevant: Iterable[Counts]) -> Confusion:
    """Count a network's verdicts on examples; above one half is relevant."""
    verdicts = [(True, network.relevance(counts) > 0.5) for counts in relevant]
    verdicts += [(False, network.relevance(counts) > 0.5) for counts in irrelevant]
    return Confusion.of(verdicts)


def _back_propagate(
    weights: list[np.ndarray],
    samples: Sequence[tuple[np.ndarray, np.ndarray]],
    targets: np.ndarray,
    settings: Settings,
    rng: np.random.Generator,
    progress: Progress | None,
) -> list[float]:
    """Change the weights in place; returns the error after each epoch."""
    hidden, hidden_bias, output, output_bias = weights
    curve: list[float] = []
    while len(curve) < settings.max_epochs and (not curve or curve[-1] > settings.target_mse):
        squares = 0.0
        for sample in rng.permutation(len(samples)):
            indices, values = samples[sample]
            between = sigmoid(values @ hidden[indices] + hidden_bias)
            out = sigmoid(between @ output + output_bias)
            missing = targets[sample] - out
            out_error = out * (1.0 - out) * missing
            between_error = between * (1.0 - between) * (output @ out_error)
            output += settings.rate * np.outer(between, out_error)
            output_bias += settings.rate * out_error
            # A feature that is not in the text has O_i = 0, so its weights stay as they are.
            hidden[indices] += settings.rate * np.outer(values, between_error)
            hidden_bias += settings.rate * between_error
            squares += float(missing @ missing) / 2
        curve.append(squares / len(samples))
        if progress is not None:
            progress(len(curve), curve[-1])
    return curve


def _initial_weights(features: int, hidden: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Small random weights and biases: line 1 of the paper."""
    shapes: list[tuple[int, ...]] = [(features, hidden), (hidden,), (hidden, 2), (2,)]
    return [rng.uniform(-0.5, 0.5, shape) for shape in shapes]


def _in_pieces(examples: Iterable[Example]) -> list[Sequence[Counts]]:
    """The pieces of each example, or the whole page as one; pages without any are left out."""
    cut = ([example] if isinstance(example, Mapping) else example for example in examples)
    return [pieces for pieces in cut if pieces]


def _split(
    examples: Sequence[Sequence[Counts]], held_out: float, rng: np.random.Generator
) -> tuple[list[Counts], list[Counts]]:
    """Pieces to learn from, and pieces of other pages to test with."""
    order = rng.permutation(len(examples))
    kept_back = round(len(examples) * held_out) if len(examples) >= 4 else 0
    learn, test = ([p for i in side for p in examples[i]] for side in (order[kept_back:], order[:kept_back]))
    return learn, test


def _check(
    settings: Settings,
    relevant: Sequence[Sequence[Counts]],
    irrelevant: Sequence[Sequence[Counts]],
    held_out: float,
) -> None:
    if not relevant or not irrelevant:
        raise InputError("a network needs relevant and irrelevant examples; give at least one page of both")
    if min(settings.hidden, settings.features, settings.max_epochs) < 1:
        raise InputError("hidden nodes, features and epochs are whole numbers from 1 up")
    if not settings.rate > 0 or not settings.target_mse >= 0:
        raise InputError("the learning rate is a positive number, the mean square error not a negative one")
    if not 0 <= held_out < 1:
        raise InputError(f"{held_out} of the examples cannot be held out; give a share below 1")
