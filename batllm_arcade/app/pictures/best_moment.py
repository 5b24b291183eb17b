"""What a seat's card tells of a game besides figures: its best moment, or what is true of who had none."""

from __future__ import annotations

from batllm_arcade.view.statistics import SeatStatistics


def told(seat: SeatStatistics) -> tuple[str, str]:
    """Return a heading and a sentence; a hit from close by is no best moment."""
    return ("BEST MOMENT", seat.best) if seat.best else ("IN SHORT", _in_short(seat))


def _in_short(seat: SeatStatistics) -> str:
    if not seat.plays:
        return "never got to act"
    if seat.hits:
        return f"{_counted(seat.hits, 'hit')}, {'all ' * (seat.hits > 1)}from close by"
    if seat.shots:
        return "one shot, and it missed" if seat.shots == 1 else f"{seat.shots} shots, and none hit"
    if seat.fumbles == seat.plays:
        return "lost every turn without a clear command"
    walked = f", but walked {seat.steps:.0f} steps" if seat.steps >= 2 else ""
    return f"never fired a shot{walked}"


def _counted(number: int, word: str) -> str:
    return f"one {word}" if number == 1 else f"{number} {word}s"
