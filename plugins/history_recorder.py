"""Records every session: in a journal while it runs, as a session file when it ends."""

from batllm_arcade import Observer, Session, SessionWriter, hookimpl


@hookimpl
def batllm_observer(session: Session) -> Observer | None:
    return SessionWriter(session.history) if session.history else None
