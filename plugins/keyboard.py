"""A person: the window turns keys into commands and submits them."""

from batllm_arcade import BrainKind, Decision, Spec, View, hookimpl


class Person:
    """Waits for the command of the person at this seat."""

    title = "Human"

    def decide(self, view: View) -> Decision:
        token = view.live.wait_for_command()
        return Decision(token, token or None)  # nothing at all is meant: it waits


def make(spec: Spec) -> Person:
    """Return a person's seat; the option `deadline_s` sets a turn clock."""
    spec.allow()
    return Person()


@hookimpl
def batllm_brains() -> list[BrainKind]:
    return [BrainKind("keyboard", "a person at this computer", make, human=True, options=())]
