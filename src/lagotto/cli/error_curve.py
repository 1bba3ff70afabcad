"""The error curve of a network's training, as SVG."""

from __future__ import annotations

from math import ceil, floor, log10

from lagotto.svg import FONT, Frame, document, line, shape, text, ticks
from lagotto.topic import Network

WIDTH, HEIGHT = 800, 450
STYLE = f"""
text {{ font: 13px {FONT}; fill: #262626; }}
.title {{ font-size: 16px; font-weight: 700; }}
.axis, .target-name {{ fill: #767676; }}
.grid {{ stroke: #e6e6e6; }}
.target {{ stroke: #888888; stroke-dasharray: 6 4; }}
.line {{ fill: none; stroke: #1b7f5c; stroke-width: 2.5; stroke-linejoin: round; }}
"""


def draw_error_curve(network: Network) -> str:
    """Mean square error after each epoch, on a logarithmic scale, as an SVG document."""
    target = network.settings.target_mse
    lowest = floor(log10(min(target, *network.curve)))
    highest = max(lowest + 1, ceil(log10(max(target, *network.curve))))
    frame = Frame(WIDTH, HEIGHT, len(network.curve), highest - lowest, left=80, right=30, top=56, bottom=56)
    parts = [text("title", "middle", WIDTH / 2, 32, f"Training of {network.name}")]
    for power in range(lowest, highest + 1):
        y = frame.y(power - lowest)
        parts.append(shape("grid", f"M{frame.left} {y}H{frame.plot_right}"))
        parts.append(text("axis", "end", frame.left - 8, y + 4, f"{10.0**power:g}"))
    for tick in ticks(frame.x_max):
        parts.append(text("axis", "middle", frame.x(tick), frame.plot_bottom + 20, f"{tick:,.0f}"))
    parts.append(text("", "middle", (frame.left + frame.plot_right) / 2, HEIGHT - 12, "epoch"))
    parts.append(text("", "start", 12, 44, "mean square error"))
    y = frame.y(log10(target) - lowest)
    parts.append(shape("target", f"M{frame.left} {y}H{frame.plot_right}"))
    parts.append(text("target-name", "start", frame.left + 6, y - 6, "target"))
    points = [
        (frame.x(epoch), frame.y(log10(error) - lowest)) for epoch, error in enumerate(network.curve, 1)
    ]
    parts.append(shape("line", line(points)))
    return document(WIDTH, HEIGHT, f"Training of {network.name}", STYLE, parts)
