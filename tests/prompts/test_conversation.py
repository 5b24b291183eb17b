"""The conversation format: its own example, its validation, its console lines, its renderings, its answers."""

from __future__ import annotations

import copy
import json

import pytest

from batllm_arcade.prompts.conversation import (
    ConversationError,
    array,
    chat,
    lines,
    message,
    moment,
    problems,
    tool,
    validate,
)
from batllm_arcade.prompts.tool_calls import answer_gbnf, answer_schema, read_answer

EXAMPLE = json.loads("""
[
  {
    "index": 0,
    "turn": "0",
    "timestamp": "2025-04-04T12:33:00Z",
    "role": "system",
    "content": "You're a helpful AI assistant named Aya. You help users with content..."
  },
  {
    "index": 1,
    "turn": 0,
    "timestamp": "2025-04-04T12:33:00Z",
    "role": "user",
    "content": {
      "userid": "<@1234546>",
      "text": "Oi, me dê uma sugestão de almoço por favor."
    }
  },
  {
    "index": 2,
    "turn": 1,
    "timestamp": "2025-04-04T12:34:00Z",
    "role": "assistant",
    "content": {
      "toolCall": "getThreadHistory",
      "ascending": false,
      "reasoning": "Checking the thread history for more context"
    }
  },
  {
    "index": 3,
    "turn": 1,
    "timestamp": "2025-04-04T12:35:00Z",
    "role": "assistant",
    "content": {
      "toolCall": "postMessage",
      "text": "Claro, vou te ajudar com isso! Que tal um delicioso risoto de cogumelos?",
      "reasoning": "Suggesting a lunch option to the user"
    }
  }
]
""")
"""The document's complete example, its string "0" as a turn included."""

SHOWN = """\
🧠 System: You're a helpful AI assistant named Aya. You help users with content...

👤 User <@1234546> [Turn 0]
🕐 2025-04-04T12:33:00Z
> Oi, me dê uma sugestão de almoço por favor.

🤖 Assistant [Turn 1]
🕐 2025-04-04T12:34:00Z
🔧 getThreadHistory (ascending: false)
   └─ Reason: Checking the thread history for more context

🤖 Assistant [Turn 1]
🕐 2025-04-04T12:35:00Z
💬 postMessage:
   "Claro, vou te ajudar com isso! Que tal um delicioso risoto de cogumelos?"
   └─ Reason: Suggesting a lunch option to the user"""

NOON = "2026-01-01T12:00:00Z"


def good() -> list:
    whole = copy.deepcopy(EXAMPLE)
    whole[0]["turn"] = 0
    return whole


# ------------------------------------------------------------------------------ validation


def test_the_documents_example_has_one_mistake_by_its_own_list_of_fields():
    assert list(problems(EXAMPLE)) == ["the turn of message 0 must be a whole number from 0 up, not '0'"]


def test_the_documents_example_with_that_turn_as_a_number_is_valid():
    assert list(problems(good())) == []
    validate(good())


@pytest.mark.parametrize("field", ["index", "turn", "timestamp", "role", "content"])
@pytest.mark.parametrize("position", range(4))
def test_every_field_is_required(position, field):
    broken = good()
    del broken[position][field]
    assert list(problems(broken)) == [f"message {position} has no {field!r}"]


BROKEN = [
    (1, "index", 2, "the index of message 1 must be 1, not 2: they count from 0 in order"),
    (1, "index", True, "the index of message 1 must be 1, not True: they count from 0 in order"),
    (1, "index", "1", "the index of message 1 must be 1, not '1': they count from 0 in order"),
    (2, "turn", 1.0, "the turn of message 2 must be a whole number from 0 up, not 1.0"),
    (2, "turn", -1, "the turn of message 2 must be a whole number from 0 up, not -1"),
    (3, "turn", 0, "the turn of message 3 goes back from 1 to 0"),
    (1, "timestamp", "04.04.2025", "the timestamp of message 1 must be ISO 8601 such as 2025-04-04T12:33:00Z, not"),
    (1, "timestamp", 1743770000, "the timestamp of message 1 must be ISO 8601 such as 2025-04-04T12:33:00Z, not"),
    (3, "timestamp", "2025-04-04T12:33:30Z", "the timestamp of message 3 is earlier than that of the message before"),
    (1, "role", "human", "the role of message 1 must be one of system, user, assistant, not 'human'"),
    (1, "role", [], "the role of message 1 must be one of system, user, assistant, not []"),
    (0, "content", {"text": "x"}, "the content of message 0 must be a text, as its role is system, not"),
    (1, "content", "Oi", "the content of message 1 must be an object of userid and text, as its role is user, not"),
    (1, "content", {"userid": "<@1>", "text": "x", "more": 1}, "the content of message 1 must be an object of userid"),
    (1, "content", {"userid": "left", "text": "x"}, "the userid of message 1 must be written like <@left>, not 'left'"),
    (1, "content", {"userid": "<@1>", "text": 7}, "the text of message 1 must be a text, not 7"),
    (2, "content", "M", "the content of message 2 must be an object with a toolCall, as its role is assistant, not"),
    (2, "content", {"reasoning": "x"}, "the content of message 2 must be an object with a toolCall"),
    (2, "content", {"toolCall": ""}, "the toolCall of message 2 must be the name of a tool, not ''"),
    (2, "content", {"toolCall": "playCommand"}, "the playCommand of message 2 must have 'command', a text"),
    (3, "content", {"toolCall": "postMessage", "text": 1}, "the postMessage of message 3 must have 'text', a text"),
    (2, "content", {"toolCall": "x", "reasoning": 1}, "the reasoning of message 2 must be a text, not 1"),
]


@pytest.mark.parametrize(("position", "field", "value", "sentence"), BROKEN)
def test_each_mistake_has_its_own_sentence(position, field, value, sentence):
    broken = good()
    broken[position][field] = value
    (problem,) = problems(broken)
    assert problem.startswith(sentence)
    with pytest.raises(ConversationError) as raised:
        validate(broken)
    assert str(raised.value) == problem


def test_other_fields_and_other_shapes_are_mistakes():
    assert list(problems({})) == ["a conversation is an array of messages, not {}"]
    assert list(problems([7])) == ["message 0 must be an object, not 7"]
    named = [{**good()[0], "name": "Aya"}]
    assert list(problems(named)) == [
        "message 0 has a field 'name'; the fields are index, turn, timestamp, role, content"
    ]


@pytest.mark.parametrize(
    "text",
    ["2025-04-04T12:33:00Z", "2025-04-04T12:33Z", "2025-04-04T12:33:00.123456+02:00", "2025-04-04T12:33:00,5-0330"],
)
def test_iso_8601_in_its_usual_spellings_is_a_moment(text):
    assert moment(text) is not None


@pytest.mark.parametrize(
    "text",
    ["", "2025-04-04", "2025-04-04 12:33:00Z", "2025-13-04T12:33:00Z", "2025-02-30T12:33:00Z", "2025-04-04T25:00:00Z",
     "2025-04-04T12:33:00Z ", "２025-04-04T12:33:00Z", "2025-04-04T12:33:00+25:00", None, 5],
)  # fmt: skip
def test_anything_else_is_none(text):
    assert moment(text) is None


def test_moments_in_different_zones_are_compared_as_moments():
    assert moment("2025-04-04T14:00:00+02:00") == moment("2025-04-04T12:00:00Z")


# ------------------------------------------------------------------------------ console lines


def test_the_documents_example_is_shown_as_the_document_shows_it():
    assert "\n".join(lines(EXAMPLE)) == SHOWN


def one(role, content):
    return lines([message(0, 3, NOON, role, content)])


def test_a_command_and_the_end_of_a_request_have_their_signs():
    head = ["🤖 Assistant [Turn 3]", f"🕐 {NOON}"]
    assert one("assistant", tool("playCommand", "lined up", command="B")) == [
        *head, "🔧 playCommand (command: B)", "   └─ Reason: lined up",
    ]  # fmt: skip
    assert one("assistant", tool("finishRequest", "Round 1 is over.")) == [
        *head, "✅ finishRequest", "   └─ Reason: Round 1 is over.",
    ]  # fmt: skip
    assert one("assistant", tool("search", query="a\nb", limit=2)) == [*head, "🔧 search (query: a b, limit: 2)"]


def test_texts_of_several_lines_stay_in_their_place():
    assert one("user", {"userid": "<@left>", "text": "a\nb"})[2:] == ["> a", "> b"]
    assert one("assistant", tool("postMessage", "c\nd", text="a\nb"))[2:] == [
        "💬 postMessage:", '   "a', '   b"', "   └─ Reason: c d",
    ]  # fmt: skip


def test_a_model_cannot_send_escape_codes_to_the_terminal():
    shown = "\n".join(one("assistant", tool("postMessage", "\x9b", text="\x1b[2J\u202e\r\ud800")))
    assert "\\u001b[2J\\u202e\\u000d\\ud800" in shown
    assert all(character.isprintable() or character == "\n" for character in shown)


# ------------------------------------------------------------------------------ renderings


def test_the_array_is_the_very_array_and_grows_only_at_its_end():
    assert json.loads(array(good())) == good()
    assert list(json.loads(array(good()))[1]) == ["index", "turn", "timestamp", "role", "content"]
    assert "almoço" in array(good())
    for length in range(1, 4):
        assert array(good()).startswith(array(good()[:length])[:-1])


def conversation():
    contents = [
        ("system", "Header."),
        ("user", {"userid": "<@left>", "text": "win"}),
        ("user", {"userid": "<@right>", "text": "hide"}),
        ("user", {"userid": "<@left>", "text": "turn 1"}),
        ("assistant", tool("playCommand", "why", command="M")),
        ("assistant", tool("finishRequest", "Round 1 is over.")),
        ("user", {"userid": "<@left>", "text": "turn 2"}),
        ("assistant", tool("postMessage", text="boo")),
    ]
    return [message(index, index, NOON, role, content) for index, (role, content) in enumerate(contents)]


def test_a_chat_has_native_roles_in_turns_and_contents_as_text():
    assert chat(conversation(), "<@left>") == [
        {"role": "system", "content": "Header."},
        {"role": "user", "content": "win\n<@right>: hide\nturn 1"},
        {"role": "assistant", "content": '{"toolCall":"playCommand","command":"M","reasoning":"why"}'},
        {"role": "user", "content": "turn 2"},
        {"role": "assistant", "content": '{"toolCall":"postMessage","text":"boo"}'},
    ]


def test_a_chat_of_tokens_shows_tokens_and_one_of_other_replies_what_was_written():
    answers = [each["content"] for each in chat(conversation(), "<@left>", "token") if each["role"] == "assistant"]
    assert answers == ["M", "boo"]
    shown = chat(conversation(), "<@left>", "token", {4: '{"button_presses":["up"]}'})
    assert shown[2]["content"] == '{"button_presses":["up"]}'


# ------------------------------------------------------------------------------ answers


@pytest.mark.parametrize(
    ("raw", "command", "say", "reasoning"),
    [
        ('{"toolCall":"playCommand","command":"C45","reasoning":"aim"}', "C45", "", "aim"),
        ('<think>so</think>\n{"toolCall": "playCommand", "command": "M"}', "M", "", "so"),
        ('{"toolCall":"playCommand","command":"fly"}', "fly", "", ""),
        ('{"toolCall":"postMessage","text":" Got you! ","reasoning":"fun"}', None, "Got you!", "fun"),
        ("C17", "C17", "", ""),
        ('"C17"', "C17", "", ""),
        ('{"cmd": "B"}', "B", "", ""),
        ("<think>hm</think>B", "B", "", "hm"),
    ],
)
def test_an_answer_is_a_tool_call_or_a_token(raw, command, say, reasoning):
    said = read_answer(raw)
    assert (said.command, said.say, said.reasoning, said.problem) == (command, say, reasoning, "")


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ("I will fire now", "it is no JSON object with a toolCall"),
        ("", "it is no JSON object with a toolCall"),
        ('{"toolCall":"playCommand"', "it is no JSON object with a toolCall"),
        ('[{"toolCall":"playCommand","command":"M"}]', "it is no JSON object with a toolCall"),
        ('```json\n{"toolCall":"playCommand","command":"M"}\n```', "it is no JSON object with a toolCall"),
        ('{"toolCall":"playCommand"}', "playCommand has no command, which must be a text"),
        ('{"toolCall":"playCommand","command":7}', "playCommand has no command, which must be a text"),
        ('{"toolCall":"postMessage","text":" "}', "postMessage has no text, which must be a text"),
        ('{"toolCall":"finishRequest"}', "finishRequest is written by the program; choose playCommand or postMessage"),
        ('{"toolCall":"getThreadHistory"}', "there is no tool 'getThreadHistory'; choose playCommand or postMessage"),
        ('{"toolCall":7}', "it is no JSON object with a toolCall"),
        ("[" * 100_000, "it is no JSON object with a toolCall"),
    ],
)
def test_what_is_neither_is_told_why(raw, problem):
    assert read_answer(raw).problem == problem


def test_the_grammar_and_the_schema_ask_for_what_is_read():
    assert '"playCommand' in answer_gbnf()
    assert 'token ::= [CA] angle | "M"' in answer_gbnf()
    play, post = answer_schema(free_move=True)["anyOf"]
    assert play["required"] == ["toolCall", "command", "reasoning"]
    assert post["properties"]["toolCall"]["enum"] == ["postMessage"]
    assert "M(-?" in play["properties"]["command"]["pattern"]
