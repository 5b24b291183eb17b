"""Prints a match to standard error while it is played: the bots' conversations, or a line per play."""

from batllm_arcade import (
    SEATS,
    GameStarted,
    Observer,
    Play,
    Record,
    RoundEnded,
    RoundStarted,
    SeatSwapped,
    Session,
    Transcript,
    hookimpl,
    write_lines,
)


class ConversationLog:
    """An observer that prints both bots' conversations in order of play, as `transcript` does afterwards."""

    def __init__(self) -> None:
        self._transcript = Transcript()

    def notify(self, record: Record) -> None:
        lines = self._transcript.lines(record)
        if lines:
            write_lines(lines)


class PlayLog:
    """An observer with one line for everything a spectator would want to know; `run` tells the results."""

    def __init__(self) -> None:
        self._armour = False

    def notify(self, record: Record) -> None:
        if isinstance(record, GameStarted):
            self._armour = record.rules.has_armour
        line = describe(record, armour=self._armour)
        if line:
            write_lines([line])


OUTCOMES = {
    "BotHit": "hit",
    "ShotBlocked": "blocked",
    "ShotMissed": "missed",
    "ShieldBroke": "shield broken",
    "ShieldFaded": "shield empty",
    "ShieldRefused": "no charge for a shield",
}
CHANGES = {
    "swap": "another brain was chosen",
    "wheel": "the wheel changed hands",
    "fallback": "the one before failed too often",
    "recovered": "it answers again",
    "fork": "it plays on from a recorded game",
}


def describe(record: Record, *, armour: bool = False) -> str:
    """Return one line of text about a record, or "" if it is not shown; with armour it names the part that was hit."""
    match record:
        case GameStarted(game=game, seats=(left, right)):
            return f"Game {game}: {left.name} (left) against {right.name} (right)"
        case RoundStarted(round=number, acting_order=(first, _)):
            return f"  Round {number}: {SEATS[first]} acts first"
        case SeatSwapped(bot=bot, seat=seat, problem=problem, why=why):
            return f"  ! {SEATS[bot]} is played by {seat.brain} from here on: {problem or CHANGES[why]}"
        case RoundEnded(ended="abandoned"):
            return "  The round was left"
        case Play():
            return _play(record, armour)
    return ""


def _play(play: Play, armour: bool) -> str:
    events = {type(event).__name__: event for event in play.events}
    words = [said for name, said in OUTCOMES.items() if name in events]
    hit, refused, flew = events.get("BotHit"), events.get("FireRefused"), events.get("BulletFlew")
    words += [hit.part] if armour and hit else []
    words += ["off a wall"] if flew and flew.bounce and "ShotMissed" not in events else []
    words += ["not loaded"] if refused and refused.reason == "charge" else []
    trouble = "" if play.status == "ok" else f"{play.status}: {play.reason}"
    health = f"{play.after.left.health:g}:{play.after.right.health:g}"
    parts = (
        f"{play.turn:4}",
        f"{SEATS[play.bot]:5}",
        f"{'-' if play.status == 'ok' and play.command.token == 'ERR' else play.command.token:8}",
        f"{health:9}",
        " ".join(words),
        trouble,
    )
    return " ".join(parts).rstrip()


@hookimpl
def batllm_observer(session: Session) -> Observer | None:
    if not session.console:
        return None
    return PlayLog() if session.console == "plays" else ConversationLog()
