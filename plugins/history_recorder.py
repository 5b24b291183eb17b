"""Writes every session to a file: the journal while a game runs, the session file after each game."""

from batllm_arcade import Observer, Session, SessionWriter, hookimpl


@hookimpl
def batllm_observer(session: Session) -> Observer | None:
    return SessionWriter(session.history) if session.history else None
