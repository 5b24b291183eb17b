"""Keys: each goes to its own host, is kept where the user chose, and stands nowhere else."""

from __future__ import annotations

import json
import logging
import os
import stat
from base64 import b64decode, b64encode, urlsafe_b64encode
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from urllib.parse import quote

import pytest
from batllm_arcade_plugins import anthropic, gemini, mistral, ollama, openai
from model_server import ScriptedServer, answer, endless
from providers import DONE, chunk, claude_block, claude_end, claude_start, claude_text, gemini_body, sse

from batllm_arcade import ArcadeError, BrainError, BrainKind, Spec, UsageError
from batllm_arcade.brains.redaction import without_secrets
from batllm_arcade.cli.main import main
from batllm_arcade.history.reader import read
from batllm_arcade.league.plan_file import load_plan
from batllm_arcade.models import api_keys, presets
from batllm_arcade.models.api_keys import KeptKey, KeyStore, data_file, key_store, without_key
from batllm_arcade.processes.child import handed_on
from batllm_arcade.session.trial_turn import Trial
from batllm_arcade.settings import config
from batllm_arcade.video.edit.captions import srt
from batllm_arcade.video.encode.formats import shape
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.video.render_job import RenderJob

KEY = "canary-3f9b1c77-own-key"
ORIGIN = "https://openrouter.ai"
MAKERS = {"openai": openai.OpenAI, "mistral": mistral.Mistral, "gemini": gemini.Gemini,
          "anthropic": anthropic.Anthropic, "ollama": ollama.Ollama}  # fmt: skip


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch):
    for each in presets.presets():
        for name in (each.key_variable, *each.other_keys):
            monkeypatch.delenv(name, raising=False) if name else None
    key_store.cache_clear()


@pytest.fixture
def store(tmp_path):
    return KeyStore(lambda: tmp_path / "keys.json")


def sent(brain):
    """The headers with a key that a brain would send."""
    return brain.server._key.headers("it")


# Where they are kept


def test_a_key_in_the_file_is_read_by_its_owner_alone(store, tmp_path):
    store.keep(ORIGIN, f" {KEY}\n", "file")
    assert stat.S_IMODE(os.stat(tmp_path / "keys.json").st_mode) == 0o600
    assert KeyStore(lambda: tmp_path / "keys.json").key(ORIGIN) == KEY
    assert (store.kept(ORIGIN), store.key("https://openrouter.ai:8443")) == (KeptKey("file"), "")
    assert os.listdir(tmp_path) == ["keys.json"]
    store.forget(ORIGIN)
    assert KEY not in (tmp_path / "keys.json").read_text()


@pytest.mark.parametrize("bad", ["others can read it", "a link", "damaged", "a folder"])
def test_a_file_that_is_not_the_user_s_alone_is_not_used(store, tmp_path, bad):
    store.keep(ORIGIN, KEY, "file")
    path, real = tmp_path / "keys.json", tmp_path / "real.json"
    if bad == "others can read it":
        path.chmod(0o640)
    elif bad == "a link":
        path.rename(real)
        path.symlink_to(real)
    elif bad == "damaged":
        path.write_text("[1")
    else:
        path.unlink()
        path.mkdir()
    other = KeyStore(lambda: path)
    with pytest.raises(ArcadeError, match="your file of keys 'keys") as caught:
        other.key(ORIGIN)
    assert KEY not in str(caught.value)
    assert other.kept(ORIGIN) == KeptKey()


def test_a_key_for_this_run_stands_in_no_file_and_hides_the_kept_one(store, tmp_path):
    store.keep(ORIGIN, KEY, "file")
    store.keep(ORIGIN, "canary-of-this-run", "run")
    assert (store.key(ORIGIN), store.kept(ORIGIN)) == ("canary-of-this-run", KeptKey("run"))
    assert "canary-of-this-run" not in (tmp_path / "keys.json").read_text()
    store.forget(ORIGIN, "run")
    assert store.key(ORIGIN) == KEY
    store.keep(ORIGIN, "canary-of-this-run", "run")
    store.forget(ORIGIN)
    assert store.key(ORIGIN) == ""


def test_the_keyring_holds_it_and_the_file_only_says_so(store, tmp_path, monkeypatch):
    ring = {}
    monkeypatch.setattr(api_keys, "has_keyring", lambda: True)
    monkeypatch.setattr(api_keys, "write", ring.__setitem__)
    monkeypatch.setattr(api_keys, "read", lambda origin: ring.get(origin, ""))
    monkeypatch.setattr(api_keys, "forget", ring.pop)
    assert store.places() == ("keyring", "file", "run")
    store.keep(ORIGIN, KEY, "keyring")
    assert ring == {ORIGIN: KEY}
    assert KEY not in (tmp_path / "keys.json").read_text()
    assert (KeyStore(lambda: tmp_path / "keys.json").key(ORIGIN), store.kept(ORIGIN)) == (KEY, KeptKey("keyring"))
    store.forget(ORIGIN)
    assert (ring, store.key(ORIGIN)) == ({}, "")


def test_without_a_keyring_there_are_the_file_and_this_run(store, monkeypatch):
    monkeypatch.setattr(api_keys, "find_spec", lambda name: None)
    assert store.places() == ("file", "run")


@pytest.mark.parametrize("key", ["", "with space", "caf\u00e9", "a\nb", "x" * 9000])
def test_what_is_no_key_is_refused_without_quoting_it(store, key):
    with pytest.raises(UsageError, match="that is no key") as caught:
        store.keep(ORIGIN, key, "file")
    assert not key or key not in str(caught.value)


@pytest.mark.parametrize("before", ["", "a", "ab", "Bearer "])
def test_a_key_that_a_server_repeats_is_hidden_in_plain_in_addresses_in_hex_and_in_base64(before):
    key = f"{KEY}+/?=1"
    assert without_key(f"no {key}, no: {key}{key}", key) == "no ***, no: ******"
    assert without_key(f"http://there/?key={quote(key, safe='')}&x=1", key) == "http://there/?key=***&x=1"
    assert without_key(f"{before}{key.encode().hex()}", key) == f"{before}***"
    for encode in (b64encode, urlsafe_b64encode):
        encoded = encode(f"{before}{key} and more".encode()).decode()
        hidden = without_key(encoded, key)
        assert hidden.count("***") == 1
        assert len(hidden) < len(encoded) - len(key)
    assert json.loads(without_key(json.dumps({"said": key}), key)) == {"said": "***"}


# To whom they go


def test_a_kept_key_goes_to_its_own_origin_before_that_of_the_environment(monkeypatch):
    monkeypatch.setenv("OPENROUTER_API_KEY", "canary-environment")
    brain = MAKERS["openai"](Spec("openai", "openrouter"))
    assert sent(brain) == {"Authorization": "Bearer canary-environment"}
    key_store().keep(ORIGIN, KEY, "file")
    assert sent(brain) == {"Authorization": f"Bearer {KEY}"}
    assert sent(MAKERS["openai"](Spec("openai", "", {"base_url": "https://openrouter.ai.evil.example"}))) == {}
    assert without_secrets(f"it said {KEY}") == "it said ***"
    key_store().keep("http://127.0.0.1:1337", KEY, "run")  # on this computer it is for that port
    assert sent(MAKERS["openai"](Spec("openai", "jan"))) == {"Authorization": f"Bearer {KEY}"}
    assert sent(MAKERS["openai"](Spec("openai", "lmstudio"))) == {}
    assert str(data_file()).startswith(os.environ["XDG_DATA_HOME"])


@pytest.mark.parametrize("name", MAKERS)
def test_key_env_names_the_variable_for_any_server(name, monkeypatch):
    monkeypatch.setenv("MY_KEY", KEY)
    spec = Spec(name, "", {"base_url": "https://llm.example", "key_env": "MY_KEY", "model": "m"})
    assert KEY in "".join(sent(MAKERS[name](spec)).values())
    monkeypatch.delenv("MY_KEY")
    with pytest.raises(BrainError, match="needs a key; set the environment variable MY_KEY"):
        sent(MAKERS[name](spec))
    with pytest.raises(UsageError, match="not the key itself") as caught:
        MAKERS[name](replace(spec, options={**spec.options, "key_env": KEY}))
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("name", MAKERS)
def test_a_header_and_a_password_are_named_as_keys_are_and_sent_beside_them(name, monkeypatch):
    monkeypatch.setenv("MY_TEAM", f"team {KEY}")
    monkeypatch.setenv("MY_LOGIN", "me:canary:word")
    options = {"base_url": "https://llm.example", "model": "m", "header_env": "X-Team:MY_TEAM+X-Also:MY_TEAM"}
    make = partial(Spec, name, "")
    assert sent(MAKERS[name](make(options))) == {"X-Team": f"team {KEY}", "X-Also": f"team {KEY}"}
    monkeypatch.setenv("MY_KEY", "canary-key")
    all_three = sent(MAKERS[name](make({**options, "auth_env": "MY_LOGIN", "key_env": "MY_KEY"})))
    assert b64decode(all_three["Authorization"].removeprefix("Basic ")) == b"me:canary:word"
    assert ("canary-key" in all_three.values()) == (MAKERS[name].key_header != "Authorization")
    with pytest.raises(BrainError, match=r"must not travel to http://llm\.example unencrypted"):
        sent(MAKERS[name](make({**options, "base_url": "http://llm.example"})))
    for value in ("", "no-colon", f"{KEY}:\u20ac", f"{KEY}:a\nb"):
        monkeypatch.setenv("MY_LOGIN", value)
        with pytest.raises(BrainError, match="needs USER:PASSWORD; set the environment variable MY_LOGIN") as caught:
            sent(MAKERS[name](make({**options, "auth_env": "MY_LOGIN"})))
        assert KEY not in str(caught.value)


LIKE_A_KEY = "sk-proj-canary0123456789"
LITERALS = {
    "": LIKE_A_KEY, "model": LIKE_A_KEY, "key_env": "canary0123456789canary0123456789", "api_key": KEY, "password": KEY,
    "header_env": f"X-Team:{KEY}", "auth_env": f"me:{KEY}", "headers": f"Authorization=Bearer {KEY}", "key": KEY,
    "base_url": f"https://me:{KEY}@llm.example", "name": f"Bearer {KEY}", "temperature": LIKE_A_KEY, "token": KEY,
}  # fmt: skip


@pytest.mark.parametrize("option", [*LITERALS, "?key", "a path"])
@pytest.mark.parametrize("name", MAKERS)
def test_a_secret_that_is_written_out_is_refused_with_what_to_write(name, option, capsys):
    addresses = {"?key": f"https://llm.example/v1?key={KEY}", "a path": f"https://llm.example/{LIKE_A_KEY}/v1"}
    text = LITERALS.get(option, addresses.get(option))
    spec = f"{name}:{text}" if not option else f'{name}:{"base_url" if option in addresses else option}="{text}"'
    assert main(["run", "--left", spec, "--right", "scripted:turtle"]) == 2
    told = capsys.readouterr().err
    assert "_env" in told
    assert len(told.splitlines()) == 1
    assert text not in told
    assert "canary" not in told


VARIABLES = ["key_env=OPENAI_API_KEY", "header_env=X-Team:OPENAI_API_KEY", "auth_env=OPENAI_API_KEY"]


@pytest.mark.parametrize("variable", VARIABLES)
@pytest.mark.parametrize("place", ["left", "right", "fallback"])
def test_a_configuration_cannot_name_a_key(place, variable, tmp_path):
    path = tmp_path / "theirs.yaml"
    path.write_text(f"{place}: openai:base_url=https://evil.example,{variable}\n")
    with pytest.raises(UsageError, match=f"{place} must not name a key's variable"):
        config.load(str(path))
    path.write_text("settings: {servers: ['openai:key_env=OPENAI_API_KEY']}\n")
    with pytest.raises(UsageError, match="servers are a person's own"):
        config.load(str(path))


@pytest.mark.parametrize("player", [
    "openai:base_url=https://evil.example,key_env=OPENAI_API_KEY",
    {"name": "a", "brain": "openai:base_url=https://evil.example,key_env=OPENAI_API_KEY"},
    {"name": "a", "brain": "scripted:turtle", "fallback": "openai:base_url=https://evil.example,key_env=OPENAI_API_KEY"},
], ids=["text", "brain", "fallback"])  # fmt: skip
def test_a_league_s_file_cannot_name_a_key(player, tmp_path):
    path = tmp_path / "league.yaml"
    path.write_text(json.dumps({"players": [player, "scripted:dancer"]}))
    with pytest.raises(UsageError, match="a player must not name a key's variable"):
        load_plan(path)


# Canaries


def spread(text):
    """How a server may send a key back."""
    return (text, text.encode().hex(), b64encode(text.encode()).decode(), b64encode(f"Bearer {text}".encode()).decode())


def echo(conversation, status=400):
    """An answer with all that came in the headers: as it is, in hex, in base64."""
    said = " ".join(form for value in conversation.request.headers.values() for form in spread(value))
    return answer({"error": {"message": said}, "data": [{"id": said}], "text": said}, status)(conversation)


def process_list():
    """The command lines of all processes, where the system shows them."""
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended meanwhile
            lines.append(path.read_bytes().decode("utf-8", "replace"))
    return lines


def holds(request, secret):
    """Whether a request's headers hold a secret, also as a password."""
    basic = request.headers.get("authorization", "").removeprefix("Basic ")
    return (
        any(secret in value for value in request.headers.values())
        or b64encode(f"me:{secret}".encode()) == basic.encode()
    )


def redirect(to):
    return answer({}, 307, headers=(f"Location: {to}/v1/models",))


PROVIDERS = [each for each in presets.presets() if each.key_variable and each.base_url]


@pytest.mark.parametrize("kind", ["key", "header", "password"])
@pytest.mark.parametrize("preset", PROVIDERS, ids=lambda each: f"{each.brain}-{each.name or 'own'}")
def test_a_canary_reaches_its_own_host_only_and_stands_nowhere(preset, kind, monkeypatch, tmp_path, caplog, capfd):
    """Its own host echoes, as an error and as an answer, or redirects; nobody else hears of the secret."""
    canary = f"canary-{preset.brain}-{preset.name}-{'7' * 12}"
    monkeypatch.setenv(preset.key_variable, canary if kind == "key" else "another-key")
    monkeypatch.setenv("MINE", f"me:{canary}" if kind == "password" else canary)
    named = {"header": {"header_env": "X-Team:MINE"}, "password": {"auth_env": "MINE"}}.get(kind, {})
    make, lines, raised = MAKERS[preset.brain], [], []
    caplog.set_level(logging.DEBUG)

    def tried(spec):
        kinds = {preset.brain: BrainKind(preset.brain, "", make)}
        turn = Trial(kinds, spec, deadline_s=2).play(lines.append)
        raised.append(repr(turn))

    def at(url):
        monkeypatch.setattr(presets, "_known", lambda: (replace(preset, base_url=url),))
        monkeypatch.setattr(make, "home", url if not preset.name else make.home)

    with (
        ScriptedServer(endless(echo), host="127.0.0.2") as foreign,
        ScriptedServer(endless(echo)) as own,
        ScriptedServer(endless(lambda to: echo(to, 200))) as content,
        ScriptedServer(endless(redirect(foreign.url))) as moved,
    ):
        at(own.url)
        tried(Spec(preset.brain, preset.name, {"model": "m", **named}))
        for address in (foreign.url, f"{foreign.url}/{own.url.partition('//')[2]}"):
            tried(Spec(preset.brain, "", {"base_url": address, "model": "m"}))
        for there in (content, moved):
            at(there.url)
            tried(Spec(preset.brain, preset.name, {"model": "m", **named}))
    for there in (own, content, moved):
        assert any(holds(request, canary) for request in there.requests)
    assert foreign.requests
    assert not [each for each in foreign.requests if canary in repr((each.headers, each.path, each.body))]
    kept = [path.read_text() for path in Path(os.environ["XDG_DATA_HOME"]).rglob("*") if path.is_file()]
    left = "\n".join([*lines, *raised, *kept, caplog.text, *capfd.readouterr(), repr(handed_on())])
    basic = b64encode(f"me:{canary}".encode()).decode()
    assert not [form for form in (*spread(canary), *spread(basic)) if form.rstrip("=")[4:-4] in left]


MODELS = {"data": [{"id": "a"}, {"id": "b"}], "models": [{"name": "models/a"}]}


def thinking(brain, thought, *texts):
    """A provider's stream of a thought and an answer in several parts."""
    if brain == "gemini":
        parts = [{"text": thought, "thought": True}, *({"text": text} for text in texts)]
        bodies = [gemini_body({"content": {"role": "model", "parts": [part]}, "index": 0}) for part in parts]
        events = [*bodies, gemini_body({"content": {"parts": []}, "finishReason": "STOP", "index": 0})]
        return sse(*[b"data: " + json.dumps(event).encode() + b"\r\n\r\n" for event in events])
    if brain == "anthropic":
        begun = {"type": "thinking", "thinking": "", "signature": ""}
        thought = claude_block(0, begun, {"type": "thinking_delta", "thinking": thought})
        return sse(claude_start(), thought, claude_text(*texts, index=1), claude_end())
    part = {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": thought}]}]}
    first = part if brain == "mistral" else {"reasoning": thought}
    return sse(chunk(first), *[chunk({"content": text}) for text in texts], DONE)


def speaker(brain, key, processes):
    """A server whose model repeats its own key: as it is, in two parts, in hex, as its thought.

    Which processes run while it is asked is added to `processes`.
    """
    encoded = key.encode().hex()
    talk = thinking(brain, f"It is {key}, or {encoded}.", f"B {key} {encoded}", f" {key[:7]}", key[7:])

    def step(to):
        processes.extend(process_list())
        return (answer(MODELS) if to.request.method == "GET" else talk)(to)

    return endless(step)


def words_of_a_film(session):
    """The words in a film's file, beside it, and posted with it."""
    out = session.with_suffix(".mp4")
    job = RenderJob(read(session), FilmPlan(out, shape(out, None, None)))
    return [srt(job.lines(job.frames)), job.text(job.frames), repr([job.tags, job.chapters(job.frames)])]


@pytest.mark.parametrize(
    "names",
    [("openai:groq", "key_env"), ("anthropic", "gemini"), ("mistral", "openai:azure"), ("header_env", "auth_env")],
    ids=["a-preset-and-an-address", "anthropic-and-gemini", "mistral-and-azure", "a-header-and-a-password"],
)
def test_two_providers_meet_and_a_run_leaves_their_keys_in_no_file_and_on_no_line(
    names, monkeypatch, tmp_path, capfd, caplog
):
    caplog.set_level(logging.DEBUG)
    session, processes, keys = tmp_path / "session.json", [], ("canary-first-51d0aa", "canary-second-77b1ce")
    brains = ["openai" if name.endswith("_env") else name.partition(":")[0] for name in names]
    talk = [speaker(brain, key, processes) for brain, key in zip(brains, keys, strict=True)]
    known, seats = [], []
    with ScriptedServer(talk[0]) as one, ScriptedServer(talk[1], host="127.0.0.2") as two:
        for name, brain, key, there in zip(names, brains, keys, (one, two), strict=True):
            if name.endswith("_env"):
                monkeypatch.setenv(f"MY_{name.upper()}", f"me:{key}" if name == "auth_env" else key)
                variable = f"{'X-Team:' if name == 'header_env' else ''}MY_{name.upper()}"
                seats.append(f"openai:base_url={there.url},{name}={variable},model=a")
                continue
            preset = presets.preset_named(brain, name.partition(":")[2])
            monkeypatch.setenv(preset.key_variable, key)
            monkeypatch.setattr(MAKERS[brain], "home", there.url if not preset.name else MAKERS[brain].home)
            known.append(replace(preset, base_url=there.url))
            seats.append(f"{name}{',' if preset.name else ':'}model=a")
        monkeypatch.setattr(presets, "_known", lambda: tuple(known))
        main(["run", "--left", seats[0], "--right", seats[1], "--turns", "1", "--rounds", "1", "--history",
              str(session)])  # fmt: skip
        main(["share", str(session), "-o", str(tmp_path / "page.html")])
    written = [(tmp_path / "page.html").read_text(), *words_of_a_film(session)]
    for server, key in ((one, keys[0]), (two, keys[1])):
        asked = [request for request in server.requests if request.method == "POST"]
        assert asked
        assert all(holds(request, key) for request in asked)
        assert not [request for request in server.requests if key in request.path]
    for server, key in ((one, keys[1]), (two, keys[0])):
        assert not [each for each in server.requests if key in repr((each.headers, each.path, each.body))]
    kept = [path.read_text() for path in Path(os.environ["XDG_DATA_HOME"]).rglob("*") if path.is_file()]
    left = "".join([session.read_text(), *written, *kept, *capfd.readouterr(), caplog.text, *processes])
    assert all("***" in text for text in (session.read_text(), *written[:2]))
    assert processes
    assert not [form for key in keys for form in spread(key) if form in left]
