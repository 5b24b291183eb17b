"""What a camera can show closer: shots that meet a bot, and plays that leave both bots near enough."""

from __future__ import annotations

from collections.abc import Sequence

from batllm_arcade.core.events import BotHit, BulletFlew, Event, ShotBlocked
from batllm_arcade.match.records import Play
from batllm_arcade.view.camera import MIDDLE, CloseUp, Point, fits, frame
from batllm_arcade.view.segment import Segment


def close_up(segment: Segment, anchor: Point = MIDDLE) -> CloseUp | None:
    """Return the shot of a segment that met a bot near enough to be shown with its whole way, None if none did.

    `anchor` is where in the picture the middle between both bots should be.
    """
    if segment.flight is None or not _meets(segment) or not fits_segment(segment, anchor):
        return None
    return CloseUp(segment.acts, segment.flight[1])


def fits_segment(segment: Segment, anchor: Point = MIDDLE) -> bool:
    """Return whether a picture has both bots where a segment leaves them, and all the way of a bullet that met one."""
    fit = fits(*_places(segment))
    return fit and (not _meets(segment) or _in_picture(segment, anchor))


def _meets(segment: Segment) -> bool:
    """Return whether a bullet meets a bot in a segment."""
    return any(isinstance(event, (BotHit, ShotBlocked)) for event in _events(segment))


def _in_picture(segment: Segment, anchor: Point) -> bool:
    """Return whether the walls off which a segment's bullet comes are in such a picture."""
    bots, arena = _places(segment)
    bounces = (event.bounce for event in _events(segment) if isinstance(event, BulletFlew) and event.bounce is not None)
    shown = frame(bots, arena, 1.0, anchor)
    return all(shown.shows(*each) for each in bounces)


def _events(segment: Segment) -> Sequence[Event]:
    return segment.record.events if isinstance(segment.record, Play) else ()


def _places(segment: Segment) -> tuple[tuple[Point, Point], Point]:
    """Return where a segment leaves both bots, and the arena's size."""
    (left, right), rules = (segment.arena.left, segment.arena.right), segment.board.rules
    return ((left.x, left.y), (right.x, right.y)), (rules.arena_width, rules.arena_height)
