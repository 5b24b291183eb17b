"""Draws the learning curve that `train.py` has written as an SVG picture.

python examples/training/plot.py my_policy/curve.csv curve.svg
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 760, 360, 56, 44, 150, 48
COLORS = ("#d1495b", "#00798c", "#b7791f", "#5b4fa8")


def picture(rows: list[dict[str, str]]) -> str:
    """Return the picture of a curve: seconds across, the share of the last 200 games won upwards."""
    names = list(rows[0])[3:]
    end = float(rows[-1]["seconds"])

    def place(seconds: float, share: float) -> tuple[float, float]:
        return LEFT + seconds / end * (WIDTH - LEFT - RIGHT), TOP + (1 - share) * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="24" font-size="15" fill="#222">Share of the last 200 games won, while it learns</text>',
    ]
    for share in (0, 0.25, 0.5, 0.75, 1):
        x, y = place(0, share)
        parts += [
            f'<path d="M{x:.0f} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>',
            f'<text x="{x - 8:.0f}" y="{y + 4:.1f}" text-anchor="end" fill="#555">{share:.0%}</text>',
        ]
    for minute in range(int(end // 60) + 1):
        x, y = place(60 * minute, 0)
        parts.append(f'<text x="{x:.1f}" y="{y + 20:.0f}" text-anchor="middle" fill="#555">{minute}</text>')
    parts.append(
        f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 10}" text-anchor="end" fill="#555">minutes of training</text>'
    )
    lowest = -1e9
    for name, color in sorted(zip(names, COLORS, strict=False), key=lambda each: -float(rows[-1][each[0]])):
        points = " ".join("{:.1f},{:.1f}".format(*place(float(row["seconds"]), float(row[name]))) for row in rows)
        y = lowest = max(place(0, float(rows[-1][name]))[1] + 4, lowest + 18)
        parts += [
            f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2.2" stroke-linejoin="round"/>',
            f'<text x="{WIDTH - RIGHT + 8}" y="{y:.0f}" fill="{color}">{name}</text>',
        ]
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    """Draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("curve", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    with open(options.curve, newline="") as file:
        options.out.write_text(picture(list(csv.DictReader(file))), "utf-8")


if __name__ == "__main__":
    main()
