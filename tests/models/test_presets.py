"""The servers that are known by name: where they are, whose key they get, and that the documentation has them all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from approved import approve
from batllm_arcade_plugins import anthropic, gemini, mistral, ollama, openai
from paths import DOCS

from batllm_arcade import BrainError, Spec, UsageError
from batllm_arcade.league.plan import LeaguePlayer
from batllm_arcade.league.setup import server_of
from batllm_arcade.models.presets import is_near, origin_of, parse_address, preset_named, presets

MAKERS = {
    module.__name__.rpartition(".")[2]: module.batllm_brains()[0].make
    for module in (anthropic, gemini, mistral, ollama, openai)
}
NAMED = [each for each in presets() if each.brain in MAKERS and each.name and not each.ask]


def made(preset, **options):
    return MAKERS[preset.brain](Spec(preset.brain, preset.name, options))


@pytest.mark.parametrize("preset", NAMED, ids=lambda each: f"{each.brain}:{each.name}")
def test_a_server_known_by_name_is_asked_at_its_address_for_its_own_key(preset):
    brain = made(preset)
    assert brain.server.address.url("/v1/x").startswith(preset.base_url.removesuffix("/v1"))
    assert brain.server.where.startswith(f"{preset.title} at ")
    assert (brain.key.variable, brain.key.needed) == (preset.key_variable, bool(preset.key_variable))
    assert brain.model == preset.model


@pytest.mark.parametrize("preset", [each for each in presets() if not each.name], ids=lambda each: each.brain)
def test_a_brain_s_own_server_is_that_of_its_plugin(preset):
    if preset.brain not in MAKERS:
        return
    make = MAKERS[preset.brain]
    assert (preset.base_url, preset.key_variable, preset.model) == (make.home, make.key_variable, make.suggested)
    assert (preset.key_header or "Authorization") == make.key_header


def test_keys_go_over_https_only_and_every_address_is_one():
    for each in presets():
        assert each.base_url.startswith("https://" if each.key_variable else "http://127.0.0.1:") or each.ask
        assert not (each.key_variable and each.key_env)
        assert each.key_page.startswith("https://") or not each.key_page


def test_azure_has_an_address_of_one_s_own(monkeypatch):
    with pytest.raises(UsageError, match="has an address of your own: add base_url=https://RESOURCE"):
        MAKERS["openai"](Spec("openai", "azure"))
    brain = MAKERS["openai"](Spec("openai", "azure", {"base_url": "https://mine.openai.azure.com/openai/v1"}))
    assert brain.key.variables == ("AZURE_OPENAI_API_KEY", "AZURE_API_KEY")
    monkeypatch.setenv("AZURE_API_KEY", "canary-azure")
    assert brain.server._key.headers("") == {"api-key": "canary-azure"}


@pytest.mark.parametrize(
    ("address", "variable"),
    [
        ("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
        ("https://OpenRouter.ai:443/elsewhere", "OPENROUTER_API_KEY"),
        ("https://api.openai.com", "OPENAI_API_KEY"),
        ("https://mine.openai.azure.com/openai/v1", "AZURE_OPENAI_API_KEY"),
        ("http://mine.openai.azure.com/openai/v1", ""),
        ("https://mine.openai.azure.com:8443/openai/v1", ""),
        ("https://openai.azure.com", ""),
        ("https://mine.openai.azure.com.evil.example/openai", ""),
        ("https://api.openai.com.evil.example/v1", ""),
        ("https://evil.example/api.openai.com/v1", ""),
        ("https://api.openai.com:8443/v1", ""),
        ("http://api.openai.com/v1", ""),
        ("http://127.0.0.1:8080", ""),
        ("https://gateway.example/v1", ""),
    ],
)
@pytest.mark.parametrize("name", ["openai", "mistral", "gemini", "ollama"])
def test_the_host_alone_decides_which_key_is_looked_for(name, address, variable):
    assert MAKERS[name](Spec(name, "", {"base_url": address, "model": "m"})).key.variable == variable


def test_a_name_brings_no_key_to_another_address(monkeypatch):
    monkeypatch.setenv("GROQ_API_KEY", "canary-groq-key")
    for address in ("https://evil.example/openai/v1", "http://127.0.0.1:9", "https://openrouter.ai/api"):
        brain = made(preset_named("openai", "groq"), base_url=address)
        assert "GROQ_API_KEY" not in brain.key.variables
        assert brain.server._key.headers("it") == {}


def test_an_origin_is_scheme_host_and_port():
    assert origin_of("https://A.example/x") == origin_of("https://a.example:443") == "https://a.example"
    assert origin_of("http://[::1]:8080/v1") == "http://[::1]:8080"


def test_without_a_key_the_sentence_names_the_variable():
    with pytest.raises(BrainError, match="needs a key; set the environment variable OPENROUTER_API_KEY"):
        made(preset_named("openai", "openrouter")).prepare(lambda line: None)


def test_the_table_in_the_documentation_is_what_the_program_has():
    page = (DOCS / "providers.md").read_text("utf-8").partition("## Servers known by name")[2].partition("\n## ")[0]
    rows = [re.split(r" *\| *", line.strip("| ")) for line in page.splitlines() if line.startswith("| `")]
    told = {row[0].strip("`"): [cell.strip("`") for cell in row[1:4]] for row in rows}
    address = {str(each.spec): each.base_url or each.ask for each in presets()}
    keys = {
        str(each.spec): each.key_variable or (f"key_env={each.key_env}" if each.key_env else "none")
        for each in presets()
    }
    models = {str(each.spec): each.model or "the first in its list" for each in presets()}
    assert told == {name: [address[name], keys[name], models[name]] for name in address}


def test_in_a_league_servers_known_by_name_have_their_limits_apart():
    kinds = {"openai": openai.batllm_brains()[0]}
    names = ("openai:groq,model=a", "openai:openrouter,model=a", "openai:groq,model=b")
    groq, router, again = (server_of(LeaguePlayer("a", brain), kinds)[0] for brain in names)
    assert groq == again != router


def asked_at(case):
    """Where a path is asked, of an address as people write it."""
    written, path = case
    try:
        address = parse_address(written)
    except UsageError as error:
        return str(error)
    other = address.without_version
    return address.url(path) + (f" or {other.url(path)}" if other else "")


def test_an_address_leads_to_the_endpoint_it_means():
    approve(Path(__file__).parent / "approved" / "addresses.txt", asked_at)


@pytest.mark.parametrize(("near", "urls"), [
    (True, "127.0.0.1:1 localhost:1 [::1]:1 192.168.1.7:1234 10.0.0.2 gaming-pc:1234 nas.local"),
    (False, "api.openai.com 8.8.8.8"),
])  # fmt: skip
def test_near_is_where_nobody_is_paid_for_a_question(near, urls):
    assert {is_near(f"http://{url}") for url in urls.split()} == {near}


FROM_ENVIRONMENT = [
    ("ollama", "OLLAMA_HOST", "127.0.0.1:1", "http://127.0.0.1:1"),
    ("ollama", "OLLAMA_HOST", "127.0.0.1", "http://127.0.0.1:11434"),
    ("ollama", "OLLAMA_HOST", "0.0.0.0:1", "http://127.0.0.1:1"),
    ("ollama", "OLLAMA_HOST", "[::1]/ollama", "http://[::1]:11434/ollama"),
    ("ollama", "OLLAMA_HOST", " 'https://box.example' ", "https://box.example"),
    ("openai", "OPENAI_BASE_URL", "http://127.0.0.1:1/v1", "http://127.0.0.1:1"),
    ("anthropic", "ANTHROPIC_BASE_URL", "https://llm.example", "https://llm.example"),
    ("gemini", "GOOGLE_GEMINI_BASE_URL", "https://llm.example", "https://llm.example"),
]


@pytest.mark.parametrize(("name", "variable", "value", "base"), FROM_ENVIRONMENT)
def test_an_address_in_the_variable_of_the_maker_s_client_stands_in_for_the_usual_one(
    name, variable, value, base, monkeypatch
):
    make = MAKERS[name]
    monkeypatch.setenv(variable, value)
    for key in ("ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OPENAI_API_KEY", "MY_KEY"):
        monkeypatch.setenv(key, "canary-own-key")
    brain = make(Spec(name))
    assert brain.server.base_url == base
    assert brain.server._key.headers("") == {}, "the address is not the provider's: it gets a key by key_env alone"
    if base.startswith("https://"):
        assert "canary-own-key" in "".join(make(Spec(name, "", {"key_env": "MY_KEY"})).server._key.headers("").values())
    assert make(Spec(name, "", {"base_url": "http://127.0.0.1:2"})).server.base_url == "http://127.0.0.1:2"
    for preset in presets(name):
        if preset.name and preset.base_url:
            assert origin_of(make(preset.spec).server.base_url) == origin_of(preset.base_url)
    monkeypatch.setenv(variable, make.home)
    assert variable not in make(Spec(name)).server.where


@pytest.mark.parametrize(("name", "variable"), {name: variable for name, variable, *_ in FROM_ENVIRONMENT}.items())
def test_that_variable_is_named_when_nobody_answers_there_and_when_it_is_no_address(name, variable, monkeypatch):
    monkeypatch.setenv(variable, "http://127.0.0.1:9")
    assert f"(from {variable}) does not take connections" in MAKERS[name].missing(Spec(name, "", {"model": "m"}))
    for bad in ("http://me:canary-word@127.0.0.1:9", "ftp://127.0.0.1", "http://127.0.0.1:9/?key=canary-word"):
        monkeypatch.setenv(variable, bad)
        told = MAKERS[name].missing(Spec(name))
        assert told.startswith(f"{variable} must ")
        assert "canary-word" not in told
