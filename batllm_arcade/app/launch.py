"""What the command line starts: a match, the arcade from its title, a replay; each returns an exit code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from batllm_arcade.render import two_pygames  # isort: skip - first, for it imports pygame in half the time
from batllm_arcade.app.application import App
from batllm_arcade.app.services.brain_list import for_newcomers
from batllm_arcade.app.services.sessions import read_games
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.session.recorded import report_journal
from batllm_arcade.settings.store import SettingsFile, people
from batllm_arcade.terminal import output as terminal


def play(
    plan: SessionPlan, plugins: Plugins, record: Path | None = None, *, unnamed: tuple[bool, bool] = (False, False)
) -> int:
    """Go straight into a match, filmed into `record`; raise UsageError if a seat's options are wrong.

    In a person's first match ever the brains of `unnamed` seats, which nobody has chosen, play at the lowest level.
    """
    file = _settings(plan)
    if not file.settings.played and any(people(plan.seats, plugins.kinds)):
        easier = for_newcomers(plan.seats, plugins.kinds)
        left, right = (easier[seat] if unnamed[seat] else plan.seats[seat] for seat in (0, 1))
        plan = replace(plan, seats=(left, right))
    app = App(plan, plugins, file=file, record=record)
    return _report(app, plan, file, app.run(lambda app: app.go.start(plan)))


def arcade(plan: SessionPlan, plugins: Plugins) -> int:
    """Show the arcade, from the title."""
    file = _settings(plan)
    app = App(plan, plugins, with_title=True, file=file)
    return _report(app, plan, file, app.run(lambda app: app.go.title()))


def replay(path: Path) -> int:
    """Watch a recorded session; raise UsageError, before any window opens, if it cannot be read or holds no game."""
    session = read_games(path)
    report_journal(session, path)
    app = App(None, Plugins.none(), file=_settings())
    return app.run(lambda app: app.go.open_session(path, session=session))


def _settings(plan: SessionPlan | None = None) -> SettingsFile:
    file = SettingsFile(over=plan.config.settings if plan else None)
    for problem in filter(None, (two_pygames(), file.problem)):
        terminal.complain(problem)
    return file


def _report(app: App, plan: SessionPlan, file: SettingsFile, code: int) -> int:
    for problem in app.services.new_problems():
        if problem != file.problem:  # which was told before the window opened
            terminal.complain(problem)
    if plan.history is not None and plan.history.exists():
        terminal.write_line(f"session: {plan.shown_history}")
    return code
