"""The conversation with a model: its messages, the tools it is offered, and what is sent of it for each play."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from batllm_arcade.brains.protocol import FAILED, Decision, PastPlay, PastTurn, View
from batllm_arcade.core.model import SEATS, Arena, Rules
from batllm_arcade.core.rules import read_command, step
from batllm_arcade.errors import quoted
from batllm_arcade.prompts import formats as grammar
from batllm_arcade.prompts.formats import InvalidReply, ReplyFormat, actions
from batllm_arcade.prompts.payload import Shown, bot_figures, sensor_readings
from batllm_arcade.prompts.unwrap import command, json_object, reasoning_of, split_thought, token_of_action, unwrap

Message = dict[str, Any]
"""One message: `index`, `turn`, `timestamp`, `role`, `content`, in this order."""
Content = dict[str, Any]
"""What a user or the assistant says: `userid` and `text`, or a tool call."""
Rendering = Literal["array", "chat"]
"""How a conversation is sent: as one JSON array, or as messages with native roles."""
Form = Literal["object", "token"]
"""How the assistant's messages are written in a chat: the content as JSON, or the bare token."""

RENDERINGS: tuple[Rendering, ...] = get_args(Rendering)
PLAY, POST, FINISH = "playCommand", "postMessage", "finishRequest"

_TEXT_OF = {PLAY: "command", POST: "text"}
_TOOL_SIGNS = {POST: "💬", FINISH: "✅"}
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def message(index: int, turn: int, timestamp: str, role: str, content: str | Content) -> Message:
    """Return a message with its fields in the order of the format."""
    return {"index": index, "turn": turn, "timestamp": timestamp, "role": role, "content": content}


def tool(name: str, reasoning: str = "", **parameters: Any) -> Content:
    """Return an assistant's content: a tool call with its parameters, and its reasoning if there is one."""
    return {"toolCall": name, **parameters, **({"reasoning": reasoning} if reasoning else {})}


# Console lines


def message_lines(entry: Mapping[str, Any]) -> list[str]:
    """Return the console lines of one message; control characters, which could take over a terminal, are escaped."""
    content = entry["content"]
    if entry["role"] == "system":
        return _printable(f"🧠 System: {content}").split("\n")
    who = f"👤 User {content['userid']}" if entry["role"] == "user" else "🤖 Assistant"
    head = [f"{who} [Turn {entry['turn']}]", f"🕐 {entry['timestamp']}"]
    body = [f"> {line}" for line in _text(content).split("\n")] if entry["role"] == "user" else _call_lines(content)
    return [_printable(line) for line in (*head, *body)]


def _text(content: Mapping[str, Any]) -> str:
    """Return what a user says, and the notes that come with it."""
    notes = content.get("notes")
    return "\n".join(filter(None, (content["text"], notes and f"Your notes: {notes}")))


def _call_lines(content: Mapping[str, Any]) -> list[str]:
    name = content["toolCall"]
    head = f"{_TOOL_SIGNS.get(name, '🔧')} {name}"
    if name == POST:
        shown = [f"{head}:", *f'   "{content["text"]}"'.replace("\n", "\n   ").split("\n")]
    elif name == FINISH:
        shown = [head]
    else:
        texts = {
            key: " ".join(value.split()) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            for key, value in content.items()
            if key not in ("toolCall", "reasoning")
        }
        given = ", ".join(f"{key}: {text}" for key, text in texts.items())
        shown = [f"{head} ({given})" if given else head]
    reason = " ".join(str(content.get("reasoning", "")).split())
    return [*shown, f"   └─ Reason: {reason}"] if reason else shown


def _printable(text: str) -> str:
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


# Renderings


def array(messages: Sequence[Message]) -> str:
    """Return the messages as compact JSON; appending a message changes nothing before the closing bracket."""
    return compact(list(messages))


def chat(
    messages: Iterable[Message], own: str, form: Form = "object", exact: Mapping[int, str] | None = None
) -> list[dict[str, str]]:
    """Return the messages with native roles and contents as text.

    Texts of the user `own` are sent as they are, other users' with their userid in front. `exact` maps an
    index to the exact text the model wrote, which is then sent instead. Neighbours of one role are merged,
    because many models' templates require alternating roles. `finishRequest`, which the program writes, is
    left out: models would imitate it.
    """
    shown: list[dict[str, str]] = []
    for each in messages:
        role, content = each["role"], each["content"]
        if role == "system":
            text = content
        elif role == "user":
            text = _text(content) if content["userid"] == own else f"{content['userid']}: {content['text']}"
        elif content["toolCall"] == FINISH:
            continue
        else:
            key = _TEXT_OF.get(content["toolCall"]) if form == "token" else None
            text = (exact or {}).get(each["index"]) or (str(content[key]) if key else compact(content))
        if shown and shown[-1]["role"] == role:
            shown[-1]["content"] += f"\n{text}"
        else:
            shown.append({"role": role, "content": text})
    return shown


def compact(content: Content | list[Message]) -> str:
    """Return a content as the model is asked to write it: JSON without spaces."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


SAY_LIMIT = 300
"""Longest message said aloud, in characters; the rest is cut."""
REASON_LIMIT = 160
"""Longest reasoning or message that is asked for, in characters; longer ones are accepted."""

_INSTRUCTIONS = """\
A token is sent within a tool call. Answer with the content of the next assistant message, one JSON object and
nothing else, TEXT in words of your own:
{"toolCall":"playCommand",%s,"reasoning":TEXT} plays a command: %s
{"toolCall":"postMessage","text":TEXT,"reasoning":TEXT} says something aloud and does nothing else."""
# Forms, not figures: small models copy an example's.
INSTRUCTIONS = _INSTRUCTIONS % ('"command":TOKEN', "TOKEN is the token that suits this turn, in quotes.")


def action_instructions(back_step: int = 0) -> str:
    """Return the same where a command is an action and an angle."""
    return _INSTRUCTIONS % ('"action":ACTION,"degrees":D', actions(back_step))


@dataclass(frozen=True, slots=True)
class ToolCallReply:
    """A parsed answer: the command for the rules (None: do nothing), what is said aloud, the reasoning.

    `problem` says what is wrong with an answer that is neither a tool call nor a single word, else "".
    """

    command: str | None
    say: str = ""
    reasoning: str = ""
    problem: str = ""


def read_answer(raw: str, back_step: int = 0) -> ToolCallReply:
    """Parse the exact text of an answer: a tool call as a JSON object, or a wrapped token.

    Anything else is returned as the command, for the rules to refuse; a step back is one of the rules' `back_step`.
    """
    text, why = unwrap(raw, back_step), reasoning_of(raw)
    content = json_object(text) if text.startswith("{") else None
    if content is None or not isinstance(content.get("toolCall"), str):
        word = len(text.split()) == 1 and text[0] not in "{[`"
        stray = "" if word else "it is not a JSON object with a toolCall"
        return ToolCallReply(command(raw, back_step), reasoning=why, problem=stray)
    name = content["toolCall"]
    if name == PLAY and isinstance(content.get("command"), str):
        return ToolCallReply(content["command"], reasoning=why)
    if name == PLAY and (token := token_of_action(content, back_step)) is not None:
        return ToolCallReply(token or None, reasoning=why)
    if name == POST and isinstance(content.get("text"), str) and content["text"].strip():
        return ToolCallReply(None, content["text"].strip()[:SAY_LIMIT], why)
    problem = f"{name} has no {_TEXT_OF[name]}, which must be a text" if name in _TEXT_OF else ""
    usual = f"{FINISH} is written by the program" if name == FINISH else f"there is no tool {quoted(name)}"
    return ToolCallReply(text, problem=problem or f"{usual}; choose {PLAY} or {POST}")


@dataclass(frozen=True)
class ToolCallFormat(ReplyFormat):
    """One assistant's content as a JSON object; a bare command is accepted as well.

    With `actions` a command is asked for as an action and an angle.
    """

    max_tokens: int = 256
    actions: bool = False

    def instructions(self, view: View) -> str:
        return action_instructions(view.rules.back_step) if self.actions else INSTRUCTIONS

    def schema(self, view: View) -> dict[str, Any]:
        return answer_schema(view.rules.free_move, view.rules.back_step)

    def grammar(self, view: View) -> str:
        return answer_gbnf(view.rules.free_move, view.rules.back_step)

    def read(self, view: View, raw: str) -> tuple[Decision, ...]:
        reply = read_answer(raw, view.rules.back_step)
        if reply.problem:
            raise InvalidReply(reply.problem)
        return (Decision(raw, reply.command, thought=reply.reasoning, say=reply.say),)


def answer_schema(free_move: bool = False, back_step: float = 0) -> dict[str, Any]:
    """Return a JSON schema of an assistant's content."""
    words = {"type": "string", "maxLength": REASON_LIMIT}
    command = {"type": "string", "pattern": grammar.pattern(free_move, back_step)}
    # OpenAI requires a type at the root, although the alternatives have one.
    return {
        "type": "object",
        "anyOf": [_call_schema(PLAY, command=command, words=words), _call_schema(POST, text=words, words=words)],
    }


def _call_schema(name: str, words: dict[str, Any], **parameter: dict[str, Any]) -> dict[str, Any]:
    properties = {"toolCall": {"type": "string", "enum": [name]}, **parameter, "reasoning": words}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def answer_gbnf(free_move: bool = False, back_step: float = 0) -> str:
    """Return a GBNF grammar (llama.cpp) of an assistant's content, spelt as conversations show it."""
    token, rest = grammar.command_grammar(free_move, back_step).removeprefix("root ::= ").split("\n", 1)
    return (
        f'root ::= "{{\\"toolCall\\":\\"" (play | post) "\\"}}"\n'
        f'play ::= "{PLAY}\\",\\"command\\":\\"" token reason\n'
        f'post ::= "{POST}\\",\\"text\\":\\"" words reason\n'
        'reason ::= "\\",\\"reasoning\\":\\"" words\n'
        f'words ::= [^"\\\\\\x00-\\x1f\\x7f]{{1,{REASON_LIMIT}}}\n'
        f"token ::= {token}\n{rest}"
    )


RAW_LIMIT = 200
"""Characters of an invalid answer that the conversation keeps."""


def userid(seat: int) -> str:
    """Return the userid of a seat's player."""
    return f"<@{SEATS[seat]}>"


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """What one bot's conversation needs to know about a round; `first` means that this bot acts first."""

    seat: int
    rules: Rules
    round: int
    first: bool
    augmented: bool
    shared: bool
    prompts: tuple[str, str]
    header: str
    decimals: int = 1
    notes: str = ""

    def shared_turn(self, turn: int) -> int:
        """Return the number of this round's turn, counted through the game."""
        return (self.round - 1) * self.rules.turns_per_round + turn


def failed(play: PastPlay) -> bool:
    """Return whether there was no answer, or none that counts."""
    return play.status in FAILED or (not play.status and play.cmd == "ERR" and not play.raw)


class Conversation:
    """One bot's array of messages in one game; timestamps (ISO 8601) are arguments."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self._header = ""

    def begin(self, facts: RoundFacts, timestamp: str, turn: int = 1) -> None:
        """Begin a round: add the header if it is new, then the players' prompts."""
        if facts.header != self._header:
            self.header(facts, timestamp, turn)
        for seat in (facts.seat, 1 - facts.seat) if facts.shared else (facts.seat,):
            notes = {"notes": facts.notes} if facts.notes and seat == facts.seat else {}
            if facts.prompts[seat] or notes:
                content = {"userid": userid(seat), "text": facts.prompts[seat], **notes}
                self._add(facts.shared_turn(turn), timestamp, "user", content)

    def header(self, facts: RoundFacts, timestamp: str, turn: int) -> None:
        """Add the header, at the start or again before this turn of the round; an empty one is left out."""
        self._header = facts.header
        if facts.header:
            self._add(facts.shared_turn(turn) if self.messages else 0, timestamp, "system", facts.header)

    def state(self, facts: RoundFacts, timestamp: str, turn: int, arena: Arena, last: PastTurn | None) -> None:
        """Add the state the bot sees before it acts in this turn; `last` is the last finished turn of the round."""
        content = {"userid": userid(facts.seat), "text": state_text(facts, turn, arena, last)}
        self._add(facts.shared_turn(turn), timestamp, "user", content)

    def answer(self, facts: RoundFacts, timestamp: str, turn: int, contents: Sequence[Content]) -> None:
        """Add the bot's answer in this turn."""
        for content in contents:
            self._add(facts.shared_turn(turn), timestamp, "assistant", content)

    def no_answer(self, facts: RoundFacts, timestamp: str, turn: int, reason: str) -> None:
        """Add a user message saying that there was no answer: a failure is never put into the assistant's mouth."""
        content = {"userid": userid(facts.seat), "text": f"No answer ({reason}): nothing was done."}
        self._add(facts.shared_turn(turn), timestamp, "user", content)

    def finish(self, round_number: int, timestamp: str, turn: int = 0) -> None:
        """Close a round; `turn` is the shared turn it ended in, needed if this bot did not act in it."""
        if self.messages:
            content = tool(FINISH, f"Round {round_number} is over.")
            self._add(max(turn, self.messages[-1]["turn"]), timestamp, "assistant", content)

    def _add(self, turn: int, timestamp: str, role: str, content: str | Content) -> None:
        if isinstance(content, str):
            clean: str | Content = without_surrogates(content)
        else:
            clean = {key: without_surrogates(each) if isinstance(each, str) else each for key, each in content.items()}
        self.messages.append(message(len(self.messages), turn, timestamp, role, clean))


def without_surrogates(text: str) -> str:
    """Return the text with lone surrogates replaced: a server refuses a whole conversation for one of them."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def contents(cmd: str, raw: str, say: str = "", thought: str = "", *, meant: bool = False) -> list[Content]:
    """Return an answer as the assistant's tool calls.

    `cmd` is the token that was played, `ERR` for none; `meant` if the brain chose to do nothing.
    """
    spoken = [tool(POST, thought, text=say)] if say else []
    seen, thought = _button_texts(raw, thought)
    if cmd == "ERR":
        if spoken:
            return spoken
        cmd = cmd if meant else (read_answer(raw).command or raw)[:RAW_LIMIT] or "ERR"
    return [*spoken, tool(PLAY, thought, command=cmd, **seen)]


def _button_texts(raw: str, thought: str) -> tuple[dict[str, str], str]:
    """Return the `observations` and the exact reasoning of a JSON-only response; nothing and `thought` for others."""
    reply = json_object(split_thought(raw)[1]) if '"button_presses"' in raw else None
    if reply is None:
        return {}, thought
    seen, why = reply.get("observations"), reply.get("reasoning")
    return {"observations": seen} if isinstance(seen, str) else {}, why if isinstance(why, str) else thought


def past_contents(play: PastPlay) -> list[Content]:
    """Return the same for a play of a finished turn, with the reasoning that its exact text contains."""
    return contents(play.cmd, play.raw, play.say, read_answer(play.raw, back_step=1).reasoning)  # of any length


def state_text(facts: RoundFacts, turn: int, arena: Arena, last: PastTurn | None) -> str:
    """Return the state in one line that costs few tokens: counters, both bots, the last turn's commands."""
    rules, order = facts.rules, "first" if facts.first else "second"
    parts = [f"Round {facts.round} of {rules.total_rounds}, turn {turn} of {rules.turns_per_round}, you act {order}."]
    if facts.augmented:
        seen = sensor_readings(arena, facts.seat, rules, facts.decimals)
        seen.pop("ready", None)  # said with the charge
        bank, bump = seen.pop("bank", None), seen.pop("bump", 0)
        words = [f"{key} {value}" for key, value in seen.items()]
        words += [f"off a wall turn {bank['turn']} strikes its {bank['part']}"] if isinstance(bank, dict) else []
        words += ["a step runs into it"] if bump else []
        opponent = ", ".join((_bot(facts, arena, 1 - facts.seat), *words))
        parts.append(f"You: {_bot(facts, arena, facts.seat)}. Opponent: {opponent}.")
    if last is not None:
        parts += _last_turn(facts, last)
    return " ".join(parts)


def _bot(facts: RoundFacts, arena: Arena, bot: int) -> str:
    figures = bot_figures(arena.bot(bot), facts.decimals)
    shield = "up" if figures.pop("shield") else "down"
    words = [*(f"{key} {value}" for key, value in figures.items()), f"shield {shield}"]
    if facts.rules.battery:
        charge = arena.bot(bot).charge
        words += [f"charge {charge}", "ready" if charge >= facts.rules.shot_charge else "not ready"]
    return ", ".join(words)


def _last_turn(facts: RoundFacts, last: PastTurn) -> list[str]:
    played = {play.bot: play for play in last.plays}
    mine, theirs = played.get(facts.seat), played.get(1 - facts.seat)
    commands = [f"you {_done(mine)}"] if mine else []
    if not theirs or not facts.shared:
        return [f"Last turn: {', '.join(commands)}."] if commands else []
    parts = [f"Last turn: {', '.join([*commands, f'opponent {_done(theirs)}'])}."]
    return [*parts, f'Opponent said: "{theirs.say}"'] if theirs.say else parts


def _done(play: PastPlay) -> str:
    """Return what a play was: ERR, which stands for every play without a command, only where an answer was wrong."""
    if play.cmd == "ERR" and play.status == "ok":
        return "only spoke" if play.say else "did nothing"
    return play.cmd


ROOM = 13_000
"""Characters sent at most: they fit a context of 8192 tokens at 1.8 a token, as small models read figures."""

EXACT_LIMIT = 2000
"""Characters of an answer kept for sending it again exactly as the model wrote it, apart from its thought."""

REASONING_LIMIT = 400
"""Characters of the reasoning, or of the thought, that are sent again with an answer."""

LATE = "it came too late, or there was none"


class ConversationDialogue:
    """A brain's side of the conversation format: what is sent for a view, and what became of the answer.

    `now()` returns the time, ISO 8601. `reply` names the form of the answers if it is not a tool call: a chat
    shows a `token` as such and any other as the model wrote it. The array only grows within a game,
    so a server can reuse what it has read. Once it outgrows `ROOM`, the oldest turns are left out, many at
    once, so that this happens rarely; `payload.history_window` does so at every play.
    """

    def __init__(
        self, now: Callable[[], str], rendering: Rendering = "array", reply: str = "", form: ReplyFormat | None = None
    ) -> None:
        self.rendering: Rendering = rendering
        self.form: ReplyFormat = form or ToolCallFormat()
        self._now, self._reply = now, reply
        self._conversation = Conversation()
        self._exact: dict[int, str] = {}
        self._said: dict[int, str] = {}
        """By index: what was sent at the end of a state about its very turn."""
        self._shown: Shown = "figures"
        self._at = (0, 0, 0)
        self._asked: View | None = None
        self._oldest = 0
        self._answered = self._claimed = 0
        """`_answered`: the last turn with an answer; `_claimed`: the same until the match has taken it, else 0."""

    @property
    def array(self) -> list[Message]:
        """Return the conversation of the game so far."""
        return self._conversation.messages

    def messages(self, view: View, this_turn: str = "", shown: Shown = "figures") -> list[dict[str, str]]:
        """Return what to send for this view, contents as text; repeated calls return the same.

        The last message, the state, ends with `this_turn`, and keeps it when it is sent again with later plays, so
        that a server can reuse everything it has read. It is not part of the conversation itself (`array`).
        """
        self._at = self._at if shown == self._shown else (0, 0, 0)  # told anew, so that no turn lacks its figures
        self._shown = shown
        self._catch_up(view)
        now, window = self.array[-1]["turn"], view.style.history_window
        if this_turn:
            self._said[self.array[-1]["index"]] = this_turn
        if window:
            return self._rendered(view, max(now - window, now - view.turn + 1))
        sent = self._rendered(view, self._oldest)
        if _length(sent) > ROOM:
            while _length(sent) > ROOM // 2 and self._oldest < now:
                self._oldest += 1
                sent = self._rendered(view, self._oldest)
        return sent

    def _rendered(self, view: View, oldest: int) -> list[dict[str, str]]:
        own, shown = userid(view.seat), []
        for each in _within(self.array, view, oldest):
            said, content = self._said.get(each["index"]), each["content"]
            text = {**content, "text": f"{content['text']} THIS TURN: {said}"} if said else content
            shown.append({**each, "content": text})
        if self.rendering == "chat":
            exact = self._exact if self._reply not in ("", "token") else {}
            return chat(shown, own, "token" if self._reply else "object", exact)
        sent = [{"role": "user", "content": array([{**each, "index": n} for n, each in enumerate(shown)])}]
        intro = f"The user message is the conversation so far, a JSON array; you are the assistant of {own}."
        return [{"role": "system", "content": intro}, *sent] if view.style.aug else sent

    def answered(self, view: View, decision: Decision) -> None:
        """Add the brain's decision for this view, also one that was queued or invalid."""
        self._catch_up(view)
        cmd = "ERR" if decision.invalid else read_command(decision.command, view.rules).token
        meant = decision.command is None and not decision.invalid
        calls = contents(cmd, decision.raw, decision.say, decision.thought, meant=meant)
        self._conversation.answer(self._facts(view), self._time(), view.turn, [_short(call) for call in calls])
        self._exact[len(self.array) - 1] = without_surrogates(split_thought(decision.raw)[1][:EXACT_LIMIT])
        self._answered = view.turn
        self._claimed = 0 if cmd == "ERR" else view.turn

    def _time(self) -> str:
        now = self._now()
        before = str(self.array[-1]["timestamp"]) if self.array else now
        return max(now, before)  # timestamps must not go back when the clock is set back

    def _catch_up(self, view: View) -> None:
        facts, at = self._facts(view), (view.game, view.round, view.turn)
        if at < self._at or view.game != self._at[0]:
            self._conversation, self._exact, self._said = Conversation(), {}, {}
            self._oldest = 0
            self._at = (view.game, 0, 0)
        _, number, asked = self._at
        if view.round != number:
            if number:
                self._close_round(number, asked)
            asked = self._answered = self._claimed = 0
            self._conversation.begin(facts, self._time())
        self._finished_turns(view, facts, asked)
        if asked < view.turn:
            last = view.history[-1] if view.history else None
            self._conversation.state(facts, self._time(), view.turn, view.arena, last)
        self._at, self._asked = at, view

    def _close_round(self, number: int, asked: int) -> None:
        """Close a round, first adding the failure of its last question, which no later history shows."""
        last = self._asked
        dropped = last is not None and self._claimed == asked and last.live.cancelled
        if last is not None and (asked > self._answered or dropped):
            self._conversation.no_answer(self._facts(last), self._time(), asked, LATE)
        self._conversation.finish(number, self._time())

    def _finished_turns(self, view: View, facts: RoundFacts, asked: int) -> None:
        """Add this round's turns in which the model was not asked: queued button presses, another brain's plays."""
        for position, past in enumerate(view.history):
            earlier = view.history[:position]
            if past.turn > asked:
                arena = _arena_before(view, past, earlier)
                self._conversation.state(facts, self._time(), past.turn, arena, earlier[-1] if earlier else None)
            mine = next((play for play in past.plays if play.bot == facts.seat), None)
            dropped = mine is not None and failed(mine)
            if past.turn > self._answered or (past.turn == self._claimed and dropped):
                self._answered = past.turn
                if dropped:
                    self._conversation.no_answer(facts, self._time(), past.turn, LATE)
                elif mine is not None:
                    calls = [_short(call) for call in past_contents(mine)]
                    self._conversation.answer(facts, self._time(), past.turn, calls)
        self._claimed = 0

    def _facts(self, view: View) -> RoundFacts:
        style = view.style
        figures = style.aug and self._shown != "picture"
        return RoundFacts(
            view.seat, view.rules, view.round, view.acting_order[0] == view.seat, figures, style.mode == "shared",
            view.prompts, view.system_header, style.decimals, view.notes,
        )  # fmt: skip


def _short(call: Content) -> Content:
    """Return a tool call with the beginning of its reasoning: a model's whole thought would push the match out."""
    reasoning = call.get("reasoning", "")
    return call if len(reasoning) <= REASONING_LIMIT else {**call, "reasoning": f"{reasoning[:REASONING_LIMIT]}..."}


def _length(messages: list[dict[str, str]]) -> int:
    return sum(len(each["content"]) for each in messages)


def _arena_before(view: View, past: PastTurn, earlier: Sequence[PastTurn]) -> Arena:
    """Return the state the seat saw in a finished turn: the other's play is included if it came first."""
    arena = earlier[-1].after if earlier else view.initial
    for play in past.plays:
        if play.bot == view.seat:
            break
        arena, _ = step(arena, play.bot, read_command(play.cmd, view.rules), view.rules)
    return arena


def _within(messages: list[Message], view: View, oldest: int) -> list[Message]:
    """Return the messages from turn `oldest` on, with the headers and this round's prompts."""
    begins = (view.round - 1) * view.rules.turns_per_round + 1
    return [
        each
        for each in messages
        if each["turn"] >= oldest
        or each["role"] == "system"
        or (each["turn"] == begins and each["content"].get("text") in view.prompts)
    ]
