"""The conversation format: its own example, its console lines, its renderings, its answers."""

from __future__ import annotations

import json
from pathlib import Path

from approved import approve
from conversations import console_lines

from batllm_arcade.prompts.conversation import array, chat, message, read_answer, tool

EXAMPLE = json.loads("""[
  {"index": 0, "turn": "0", "timestamp": "2025-04-04T12:33:00Z", "role": "system",
   "content": "You're a helpful AI assistant named Aya. You help users with content..."},
  {"index": 1, "turn": 0, "timestamp": "2025-04-04T12:33:00Z", "role": "user",
   "content": {"userid": "<@1234546>", "text": "Oi, me dê uma sugestão de almoço por favor."}},
  {"index": 2, "turn": 1, "timestamp": "2025-04-04T12:34:00Z", "role": "assistant",
   "content": {"toolCall": "getThreadHistory", "ascending": false,
               "reasoning": "Checking the thread history for more context"}},
  {"index": 3, "turn": 1, "timestamp": "2025-04-04T12:35:00Z", "role": "assistant",
   "content": {"toolCall": "postMessage",
               "text": "Claro, vou te ajudar com isso! Que tal um delicioso risoto de cogumelos?",
               "reasoning": "Suggesting a lunch option to the user"}}
]""")
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


def test_the_documents_example_is_shown_as_the_document_shows_it():
    assert "\n".join(console_lines(EXAMPLE)) == SHOWN


def shown(case):
    """How a message of the third turn is shown in a terminal."""
    role, content = case
    return "\n".join(console_lines([message(0, 3, NOON, role, content)]))


def test_commands_words_said_and_the_end_of_a_request_have_their_signs():
    approve(Path(__file__).parent / "approved" / "shown.txt", shown)


def test_a_model_cannot_send_escape_codes_to_the_terminal():
    said = shown(("assistant", tool("postMessage", "\x9b", text="\x1b[2J\u202e\r\ud800")))
    assert "\\u001b[2J\\u202e\\u000d\\ud800" in said
    assert all(character.isprintable() or character == "\n" for character in said)


def test_the_array_is_the_very_array_and_grows_only_at_its_end():
    assert json.loads(array(EXAMPLE)) == EXAMPLE
    assert list(json.loads(array(EXAMPLE))[1]) == ["index", "turn", "timestamp", "role", "content"]
    assert "almoço" in array(EXAMPLE)
    for length in range(1, 4):
        assert array(EXAMPLE).startswith(array(EXAMPLE[:length])[:-1])


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


def said(raw):
    answer = read_answer(raw)
    what = answer.problem or (f"plays {answer.command!r}" if not answer.say else f"says {answer.say!r}")
    return f"{what}, because {answer.reasoning!r}" if answer.reasoning else what


def test_an_answer_is_a_tool_call_or_a_token_and_what_is_neither_is_told_why():
    approve(Path(__file__).parent / "approved" / "answers.txt", said)
    assert read_answer("[" * 100_000).problem == "it is not a JSON object with a toolCall"
