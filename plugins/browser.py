"""The brain `browser`: a person in a web page, on a phone or another computer; and what shows matches on pages."""

from batllm_arcade import BrainKind, Observer, PageSeat, Session, Spec, hookimpl, page_observer, pages_missing


@hookimpl
def batllm_brains() -> list[BrainKind]:
    summary = "a person in a web page, on a phone or another computer"
    return [
        BrainKind(
            "browser", summary, PageSeat, missing=missing, human=True, remote=True, prepare_s=3600.0, options=()
        )
    ]  # fmt: skip


def missing(_spec: Spec) -> str:
    """Return what is missing to serve pages, in one sentence; "" if nothing is."""
    return pages_missing()


@hookimpl
def batllm_observer(session: Session) -> Observer | None:
    return page_observer(session)
