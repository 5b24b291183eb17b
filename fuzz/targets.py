"""What is fuzzed: a function of bytes per target, which raises unless the program did what is documented."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Literal

from batllm_arcade_plugins import gemini, mistral, ollama, openai

from batllm_arcade.app.services.leagues import find_leagues, kept_games
from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import BrainError, BrainKind, Decision, PastPlay, PastTurn, SeatInfo, Spec, View
from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.model import Rules, RulesError
from batllm_arcade.core.streams import state_of
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.history import schema, summary
from batllm_arcade.history.manager import HistoryManager
from batllm_arcade.history.original_import import import_session, is_original
from batllm_arcade.history.reader import SessionTape, load, read, read_with_values, session_of
from batllm_arcade.history.replay import replay
from batllm_arcade.history.schema import HistoryError
from batllm_arcade.history.verification import SCRIPTED, ScriptedSeats, verify
from batllm_arcade.history.writer import SessionWriter
from batllm_arcade.isolation.dialect import (
    LINE_LIMIT,
    BotAnswer,
    Dialect,
    Garbage,
    HostDialect,
    LogLine,
    OtherMessage,
    read_line,
)
from batllm_arcade.league.kept_files import LEAGUE, PAIRS, TABLE
from batllm_arcade.league.league_file import create, open_league, opened
from batllm_arcade.league.output import words as league_text
from batllm_arcade.league.output.files import pgn_of
from batllm_arcade.league.plan import LeaguePlan, plan_from
from batllm_arcade.league.plan_file import RunOptions, load_plan, players_of
from batllm_arcade.league.setup import LeagueSetup, load_config, set_up
from batllm_arcade.league.site import published
from batllm_arcade.league.statistics.table import LeagueTable, table
from batllm_arcade.league.statistics.tally import LeagueTally
from batllm_arcade.league.store import lines_of
from batllm_arcade.match import runner, transcript
from batllm_arcade.models.answers import ModelReply, ModelRequest
from batllm_arcade.models.base import ModelBrain
from batllm_arcade.models.failures import retry_after
from batllm_arcade.plugin.isolated import PluginSource, _inspected
from batllm_arcade.plugin.manager import bundled_kind
from batllm_arcade.processes.child import ChildLog, LineSplitter, Unreadable
from batllm_arcade.prompts.unwrap import json_object
from batllm_arcade.seats.plugin_calls import decision_of
from batllm_arcade.serve import messages as page_messages
from batllm_arcade.serve.lobby import Lobby
from batllm_arcade.serve.messages import BadMessage
from batllm_arcade.settings import config, user_settings
from batllm_arcade.settings.parsing import mapping, parse_yaml
from batllm_arcade.share.page_check import foreign_markup, page_difference
from batllm_arcade.share.write import write_page
from batllm_arcade.terminal.output import printable

_SCRIPT = re.compile(r"<script>.*?</script>", re.DOTALL)
_DATA = re.compile(r'(?<=id="session">)[^<]*|(?<=id="replay">)[^<]*|(?<=id="made">)[^<]*|\r(?=\n)')
_ACTS = re.compile(
    r"<[^>]*([\s/\"']on[a-z]+\s*=|javascript:|\sstyle\s*=|http-equiv=\"?refresh)"
    r"|<(iframe|object|embed|base|img|form|animate|foreignobject|template|video|audio)\b|<!--",
    re.IGNORECASE,
)
"""What could act in a page, looked for in another way than the program does."""
_FOLDER = Path(tempfile.mkdtemp(prefix="batllm-fuzz-"))
LONGEST = 1000
"""Characters of the longest sentence about something wrong."""


def commands(data: bytes) -> None:
    """Any text is a command or none; a command's token spells the same command."""
    text = data.decode("utf-8", "surrogateescape")
    for rules in (_RULES, replace(_RULES, free_move=True), replace(_RULES, ricochet=1, back_step=20)):
        command = game_rules.read_command(text, rules)
        _sentence(getattr(command, "reason", ""))
        if not isinstance(command, Nothing):
            assert game_rules.read_command(command.token, rules) == command, command
            arena = game_rules.start(Random(1), rules)
            game_rules.step(arena, 0, command, rules)


def sessions(data: bytes) -> None:
    """A file is a session that can be replayed, compared and printed, or it is refused with one sentence."""
    _read(_file("session.json", data))


def journals(data: bytes) -> None:
    """The same for a journal."""
    _read(_file("session.json.journal", data))


def original(data: bytes) -> None:
    """A file of the original game is taken over, or refused; what was taken over is read back and compared."""
    path = _file("theirs.json", data)
    try:
        values = load(path)
        if not is_original(values):
            return
        found = import_session(values, path.name)
        session = session_of(found.session)
    except HistoryError as error:
        _sentence(str(error))
        return
    for sentence in found.report.sentences():
        _sentence(sentence, LONGEST + 200 * len(found.report.changed_settings))
    ours = _FOLDER / "ours.json"
    ours.unlink(missing_ok=True)
    writer = SessionWriter(ours)
    for record in found.records:
        writer.notify(record)
    differences = _played(read(ours))
    assert differences == _played(session)
    assert bool(found.report.differing or found.report.other_start) == bool(differences), (found.report, differences)


def configurations(data: bytes) -> None:
    """A YAML text is a configuration, or refused with one sentence; the same for a person's settings."""
    path = _file("match.yaml", data)
    with suppress(UnicodeDecodeError):
        text = data.decode("utf-8")
        try:
            settings = user_settings.read(mapping("it", parse_yaml(text)))
            assert user_settings.read(user_settings.values(settings)) == settings
        except ArcadeError as error:
            _sentence(str(error))
    try:
        loaded = config.load(str(path))
        config.with_lengths(loaded, 2, 3)
        game_rules.start(Random(1), loaded.rules)
    except (ArcadeError, RulesError) as error:
        _sentence(str(error))


def specs(data: bytes) -> None:
    """A brain as written on the command line is understood, or refused with one sentence; providers check options."""
    try:
        spec = Spec.parse(data.decode("utf-8", "surrogateescape"))
        assert Spec.parse(str(spec)).options.keys() == spec.options.keys()
        maker = PROVIDERS.get(spec.name)
        if maker is not None:
            maker(spec).close()
    except ArcadeError as error:
        _sentence(str(error), LONGEST + 20 * len(data))  # it quotes what was typed


def replies(data: bytes) -> None:
    """Whatever a model says in whatever form, a brain decides or says why not, and can tell the model of it next."""
    head, _, raw = data.decode("utf-8", "surrogateescape").partition("\n")
    words = dict(part.partition("=")[::2] for part in head.split(",") if part.isprintable())
    options: dict[str, str] = {key: words[key] for key in ("context", "rendering", "reply") if key in words}
    try:
        brain = _Canned(Spec("canned", "", {**options, "model": "m"}), raw, cut="cut" in words)
    except ArcadeError:
        return
    view = _view("free_move" if "free" in words else "back_step" if "back" in words else "")
    for number in range(1, 4):
        try:
            decision = brain.decide(view)
        except BrainError as error:
            _sentence(str(error))
            decision = Decision("", None)
        view = _next(view, decision, number)


def providers(data: bytes) -> None:
    """Whatever a server answers to a question or a list of models, it is a reply, or an error of one sentence."""
    head, _, body = data.decode("utf-8", "replace").partition("\n")
    name, _, status = head.partition(" ")
    if name not in PROVIDERS:
        return
    brain = PROVIDERS[name](Spec(name, "", {"model": "m1"}))
    code = int(status) if status.isascii() and status.isdigit() and len(status) == 3 else 200
    if code != 200:
        error = brain.server._refused(code, {}, iter(body.split("\n")), brain.catalogue())
        _sentence(str(error))
        retry_after(body[:100])
        return
    brain.server = _Served(brain.server, body)
    listing = json_object(body)
    request = ModelRequest([{"role": "user", "content": "x"}], {}, "", 20, 1, Live(None))
    for attempt in (
        lambda: _checked_reply(brain.ask(request)),
        lambda: [name.encode("utf-8", "surrogatepass") for name in brain.names(listing or {})],
        lambda: brain.choose(listing or {}),
    ):
        try:
            attempt()
        except BrainError as error:
            _sentence(str(error))


def bots(data: bytes) -> None:
    """Whatever a bot writes, in whatever pieces, is answers, partial texts, log or garbage; all can be shown."""
    size = data[0] % 64 + 1 if data else 1
    splitter, log, dialects = LineSplitter(LINE_LIMIT), ChildLog(), (Dialect(), HostDialect(Spec("bot"), 1.0))
    for start in range(0, len(data), size):
        for line in splitter.feed(data[start : start + size]):
            message = Garbage(line.problem) if isinstance(line, Unreadable) else read_line(line)
            if isinstance(message, LogLine):
                log.write(message.line + b"\n")
            elif isinstance(message, OtherMessage):
                _sentence(dialects[1].problem(message), 2000)
            elif isinstance(message, Garbage):
                _sentence(message.problem)
            elif isinstance(message, BotAnswer):
                for dialect in dialects:
                    _answered(dialect, message)
    assert all(printable(line) == line for line in log.lines())


def offers(data: bytes) -> None:
    """Whatever the process of a plugin says that its file offers, it is brains that can be shown and made, or not."""
    message = read_line(data)
    if not isinstance(message, OtherMessage):
        return
    found = _inspected(PluginSource("stranger", str(_FOLDER / "stranger.py")), "process", message, ChildLog())
    for problem in found.problems:
        _sentence(problem, 2000)
    assert type(found.asks) is str
    assert found.plugin is None or not found.asks, "what asks for more is not taken for a bot"
    for kind in found.plugin.batllm_brains() if found.plugin is not None else ():
        assert kind.isolation == "process"
        json.dumps([kind.name, kind.summary, kind.variants, dict(kind.about), kind.prepare_s])
        with suppress(ArcadeError):
            brain: Any = kind.make(Spec("stranger"))
            brain.close()


def pages(data: bytes) -> None:
    """Whatever is put into a page, nothing that acts is in one that is not refused, and only the page itself is ours.

    The first line says where it is put, counted from the page's end.
    """
    head, _, markup = data.decode("utf-8", "replace").partition("\n")
    page, session, values = _page()
    place = int(head) % len(page) if head.isascii() and head.isdigit() else 0
    text = page[: len(page) - place] + markup + page[len(page) - place :]
    problem = foreign_markup(text)
    _sentence(problem)
    if not problem:
        assert text.lower().count("<script") == 4
        assert not _ACTS.search(_SCRIPT.sub("", text)), _ACTS.search(_SCRIPT.sub("", text))
        found = page_difference(text, session, values)
        _sentence(found)
        assert not found if text == page else found or _DATA.sub("", text) == _DATA.sub("", page), text


def served(data: bytes) -> None:
    """A message from a page is of a known form with small values, or refused; what a seat is sent for it is JSON."""
    with suppress(BadMessage):
        name, values = page_messages.read(data.decode("utf-8", "replace"))
        assert values.keys() == page_messages.FORMS[name].keys()
        assert len(json.dumps(values)) <= 7 * page_messages.LONGEST
        lobby = Lobby()
        answers = {"aim": lobby.aim, "play": lobby.play}
        if name in answers:
            assert answers[name](0, values) == {"wrong": "it is not your turn"}
        if name == "orders":
            lobby.write(0, values["orders"])


def pairs(data: bytes) -> None:
    """A league's lines are its pairs, of which a table can be made, or they are refused with one sentence."""
    folder, setup = _league()
    (folder / PAIRS).write_bytes(data)
    try:
        lines = list(lines_of(folder, setup.plan, setup.plan.total, setup.config.rules))
    except UsageError as error:
        _sentence(str(error))
        for _ in kept_games(folder, ("a", "b")):
            pass
        return
    tally = LeagueTally(setup.plan)
    for line in lines:
        tally.add(line)
        assert json.loads(json.dumps(line)) == line
    _shown(table(setup.plan, tally, complete=False))
    for game in pgn_of(lines, "x"):
        game.encode("ascii", "backslashreplace")


def players(data: bytes) -> None:
    """A table of names and orders is a league that can be written down, or it is refused with one sentence."""
    try:
        plan, _run = load_plan(_file("players.csv", data))
    except UsageError as error:
        _sentence(str(error))
        return
    assert plan_from(json.loads(json.dumps(plan.values()))) == plan


def leagues(data: bytes) -> None:
    """A league's plan can be played and shown, or it is refused with one sentence; the window shows either."""
    folder, _ = _league()
    (folder / LEAGUE).write_bytes(data)
    (folder / PAIRS).unlink(missing_ok=True)
    (entry,) = find_leagues(folder.parent, {}, 0.0)
    _sentence(entry.problem, 2000)
    try:
        setup, run, _values = opened(folder)
    except UsageError:
        assert entry.problem
        return
    assert plan_from(json.loads(json.dumps(setup.plan.values()))) == setup.plan
    _shown(table(setup.plan, LeagueTally(setup.plan), complete=False, name=run.name))
    json.dumps(published(setup.plan).values())
    with suppress(UsageError):
        open_league(folder)


def tables(data: bytes) -> None:
    """A league's table is shown by the window, or it says in one sentence that it is none."""
    folder, setup = _league()
    (folder / TABLE).write_bytes(data)
    (entry,) = find_leagues(folder.parent, {}, 0.0)
    (folder / TABLE).unlink()
    _sentence(entry.problem, 2000)
    assert entry.title
    assert entry.state
    if entry.table is not None:
        _shown(entry.table)
        assert {row.name for row in entry.table.players} <= {player.name for player in setup.plan.players}


def _shown(found: LeagueTable) -> None:
    """A table is the same when it is read again, and can be told."""
    values = json.loads(json.dumps(found.values()))
    assert LeagueTable.read(values) == found
    if found.players:
        for line in league_text.lines(found):
            line.encode("ascii", "backslashreplace")
        league_text.markdown(found, "x", "y")


@cache
def _league() -> tuple[Path, LeagueSetup]:
    """Return a league's folder alone in a folder, and its setup; a plan that another target has changed is put back."""
    plan = LeaguePlan(players_of(["a=scripted:dancer", "b=scripted:turtle"]), rounds=1, turns=6, pairs=3)
    setup, folder = set_up(plan, load_config(plan)), Path(tempfile.mkdtemp(dir=_FOLDER)) / "league"
    create(folder, setup, RunOptions())
    return folder, setup


@cache
def _page() -> tuple[str, SessionTape, Any]:
    """Return a page, its session and that as plain values."""
    session = Path(__file__).parent / "corpus" / "sessions" / "plain.json"
    (_FOLDER / "page.html").unlink(missing_ok=True)
    write_page(session, _FOLDER / "page.html")
    return (_FOLDER / "page.html").read_text("utf-8"), *read_with_values(session)


def _answered(dialect: Dialect, message: BotAnswer) -> None:
    """A bot's answer is a decision that can be played and recorded, or an error of one sentence, or it gave up.

    What a match has recorded of it `verify` finds good.
    """
    view = replace(_view(), rng=Random(1))
    decision, problem, _ = decision_of(lambda: dialect.decision(message, view), "bot", 9)
    _sentence(problem)
    if decision is not None:
        _next(view, decision, 1)
        history = HistoryManager()
        for record in runner.play(runner.MatchPlan(_RULES, 7, 1, ("win", "hide")), _Answered(decision, problem)):
            history.append(schema.entry(record))
        assert list(verify(session_of(json.loads(json.dumps(history.session))))) == []
    state_of(view.rng)


_ALL = (
    commands, replies, sessions, journals, original, configurations, specs, providers, bots, offers, pages, served,
    pairs, leagues, tables, players,
)  # fmt: skip
TARGETS: dict[str, Callable[[bytes], None]] = {each.__name__: each for each in _ALL}
PROVIDERS: Mapping[str, Callable[[Spec], Any]] = {
    "gemini": gemini.Gemini, "mistral": mistral.Mistral, "ollama": ollama.Ollama, "openai": openai.OpenAI,
}  # fmt: skip
_RULES = Rules(400, 400, total_rounds=1, turns_per_round=3)


def _sentence(text: str, longest: int = LONGEST) -> None:
    assert "\n" not in text, text
    assert len(text) < longest, text


def _file(name: str, data: bytes) -> Path:
    path = _FOLDER / name
    path.write_bytes(data)
    return path


def _read(path: Path) -> None:
    try:
        session = read(path)
    except HistoryError as error:
        _sentence(str(error))
    else:
        _played(session)


def _played(session: SessionTape) -> list[str]:
    """Return the differences of a session, which is replayed, printed and compared."""
    for line in transcript.all_lines(replay(session)):
        line.encode("ascii", "backslashreplace")
    for line in transcript.all_json(replay(session)):
        json.loads(line)
    summary.summary(session)
    summary.contents(session)
    scripts = ScriptedSeats(session, _scripts())
    differences = [str(each) for each in verify(session, scripts)]
    for sentence in (*differences, *scripts.sentences()):
        _sentence(sentence)
    return differences


@cache
def _scripts() -> BrainKind:
    return bundled_kind(SCRIPTED)


class _Canned(ModelBrain):
    """A model that always says the same."""

    label, home = "the canned model", "http://127.0.0.1:9"

    def __init__(self, spec: Spec, raw: str, *, cut: bool) -> None:
        super().__init__(spec)
        self._raw, self._cut = raw, cut

    def catalogue(self) -> str:
        return "/"

    def choose(self, listing: Mapping[str, Any]) -> None:
        return

    def ask(self, request: ModelRequest) -> ModelReply:
        json.dumps(request.messages).encode("ascii")
        json.dumps(request.schema)
        return ModelReply(self._raw, cut=self._cut)


@cache
def _view(rule: str = "") -> View:
    on: dict[str, dict[str, Any]] = {"free_move": {"free_move": True}, "back_step": {"ricochet": 1, "back_step": 20}}
    rules = Rules(400, 400, total_rounds=1, turns_per_round=9, **on.get(rule, {}))
    arena = game_rules.start(Random(2), rules)
    return View(0, rules, 1, 1, 1, 1, (0, 1), ("win", "hide"), arena, arena, system_header="You are a bot.")


def _next(view: View, decision: Decision, turn: int) -> View:
    """Return the view of the next turn, after what the brain decided; the other bot does nothing."""
    command = Nothing(decision.invalid) if decision.invalid else game_rules.read_command(decision.command, view.rules)
    after, _ = game_rules.step(view.arena, 0, command, view.rules)
    plays = (PastPlay(0, decision.raw, command.token, decision.say), PastPlay(1, "S", "S"))
    history = (*view.history, PastTurn(turn, plays, after))
    return View(
        0, view.rules, 1, 1, turn + 1, 2 * turn + 1, (0, 1), view.prompts, after, view.initial, history,
        system_header=view.system_header,
    )  # fmt: skip


class _Answered(runner.TableProtocol):
    """A table at which the left bot always answers the same, and the right one does nothing."""

    def __init__(self, decision: Decision, problem: str) -> None:
        self._decision, self._problem, self._times = decision, problem, count(10)

    def begin_game(self) -> tuple[SeatInfo, SeatInfo]:
        return SeatInfo("left", "bot"), SeatInfo("right", "bot")

    def ask(self, bot: int, view: View) -> runner.Answer:
        status: Literal["ok", "error"] = "error" if self._problem and not bot else "ok"
        decision = Decision("S", "S") if bot else self._decision
        return runner.Answer(decision, status, "" if bot else self._problem, 0.0, self.now())

    def now(self) -> str:
        return f"2026-01-01T12:00:{next(self._times)}.000000Z"


class _Served:
    """A model server whose every answer is this body."""

    def __init__(self, server: Any, body: str) -> None:
        self._server, self._body = server, body

    def __getattr__(self, name: str) -> Any:
        return getattr(self._server, name)

    def fetch(self, path: str, body: Any = None, **_: Any) -> Any:
        return self._server._whole(self._lines())

    def stream(self, path: str, body: Any, read: Callable[[Iterator[str]], Any], **_: Any) -> Any:
        answer = read(self._lines())
        if answer is None:
            raise BrainError("hung up")
        return answer

    def _lines(self) -> Iterator[str]:
        return iter(self._body.split("\n"))


def _checked_reply(reply: ModelReply) -> None:
    assert type(reply.text) is str
    assert type(reply.thinking) is str
    counts: Iterable[Any] = (reply.tokens or {}).values()
    assert all(type(count) is int and count >= 0 for count in counts)
