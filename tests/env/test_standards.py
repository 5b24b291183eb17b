"""What PettingZoo and Gymnasium demand of an environment, by their own tests."""

from __future__ import annotations

import warnings

import pytest

pytest.importorskip("pettingzoo")

import gymnasium

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its tests import an old game of its own
    from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, seed_test
from gymnasium.utils.env_checker import check_env

import batllm_arcade.env
from batllm_arcade.env import env, make_single, parallel_env, raw_env, vector_env

CONFIGS = pytest.mark.parametrize("config", ["default", "couch", "arena"])


@CONFIGS
@pytest.mark.parametrize("made", [env, raw_env])
def test_pettingzoo_finds_nothing_wrong_with_the_turns_of_agents(made, config, capsys):
    api_test(made(config=config, render_mode=None), num_cycles=200)
    assert "Passed API test" in capsys.readouterr().out


@CONFIGS
def test_a_seed_decides_all_of_a_game_for_pettingzoo(config):
    seed_test(lambda: env(config=config), num_cycles=60)
    parallel_seed_test(lambda: parallel_env(config=config), num_cycles=30)


@CONFIGS
def test_agents_may_decide_at_once(config, capsys):
    parallel_api_test(parallel_env(config=config), num_cycles=150)
    assert "Passed Parallel API test" in capsys.readouterr().out


@CONFIGS
def test_games_are_cut_off_after_as_many_cycles_as_are_asked_for(config, monkeypatch):
    class Configured:
        env = staticmethod(lambda **choices: batllm_arcade.env.env(config=config, **choices))
        parallel_env = staticmethod(lambda **choices: batllm_arcade.env.parallel_env(config=config, **choices))

    max_cycles_test(Configured)


@CONFIGS
def test_gymnasium_finds_nothing_wrong_with_one_agent_against_a_brain(config):
    environment = make_single("scripted:dancer", config=config)
    check_env(environment, skip_render_check=True)
    environment.close()


def test_gymnasium_takes_its_pictures():
    environment = make_single("scripted:dancer", config="couch", render_mode="rgb_array")
    check_env(environment, skip_render_check=True)
    environment.reset(seed=1)
    picture = environment.render()
    assert (picture.shape, str(picture.dtype)) == ((720, 1280, 3), "uint8")
    environment.close()


def test_gymnasiums_wrappers_of_vectors_go_around_games():
    games = gymnasium.wrappers.vector.RecordEpisodeStatistics(vector_env(3, seed=1, rounds=1, turns=2))
    games.reset()
    games.step([0, 0, 0])
    _, _, over, _, infos = games.step([0, 0, 0])
    assert list(over) == [True] * 3
    assert list(infos["episode"]["l"]) == [2] * 3
    games.close()
