"""A person: the window turns held and released keys into commands and hands them in."""

from batllm_arcade import BrainKind, Decision, Spec, View, hookimpl


class Person:
    """Waits for the person at this seat; takes as long as the person does."""

    title = "Human"

    def decide(self, view: View) -> Decision:
        token = view.live.wait_for_command()
        return Decision(token, token)


def make(spec: Spec) -> Person:
    """A person's seat; `deadline_s` sets a turn clock."""
    spec.allow()
    return Person()


@hookimpl
def batllm_brains() -> list[BrainKind]:
    return [BrainKind("keyboard", "a person at the keyboard", make, human=True)]
