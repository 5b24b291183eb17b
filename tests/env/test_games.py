"""Games through the environment are the games of a match: same starts, same turns, same file."""

from __future__ import annotations

import copy
import pickle
import warnings
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from approved import approve
from fakes import ScriptedBrain, played

pytest.importorskip("pettingzoo")

import gymnasium
import numpy as np

from batllm_arcade import BotView, BrainError, Decision, Play, UsageError, bot, play, read_session
from batllm_arcade.core.rules import read_command, refusal
from batllm_arcade.env import (
    ACTIONS,
    COMMANDS,
    FEATURES,
    Rival,
    make_single,
    observe,
    parallel_env,
    raw_env,
    vector_env,
)  # fmt: skip
from batllm_arcade.env.agent import LOWEST, ActionTable, Sight
from batllm_arcade.history.reader import read
from batllm_arcade.history.verification import verify
from batllm_arcade.settings import config as configuration

CONFIGS = pytest.mark.parametrize("config", ["default", "couch", "arena"])
NEVER_THE_SAME = ("timestamp", "latency_s")


def play_at_random(environment, seed, games=1, stream=None):
    """Play games of a seed with legal actions drawn from a stream; return all rewards."""
    stream, rewards = stream or Random(seed), []
    for game in range(games):
        environment.reset(seed=None if game else seed)
        for agent in environment.agent_iter():
            _, reward, ended, cut_off, info = environment.last()
            rewards.append((agent, reward))
            legal = np.flatnonzero(info["action_mask"])
            environment.step(None if ended or cut_off else int(stream.choice(legal)))
    return rewards


def same(records):
    """Records without what differs from run to run and from brain to brain."""
    kept = []
    for record in records:
        changes = {name: 0 for name in NEVER_THE_SAME if hasattr(record, name)}
        changes |= {"seats": ()} if hasattr(record, "seats") else {}
        changes |= {"program": ""} if hasattr(record, "program") else {}
        kept.append(replace(record, **changes))
    return kept


def differences(path):
    return [str(each) for each in verify(read(path))]


@CONFIGS
def test_a_recorded_game_verifies_and_is_the_one_that_the_runner_plays_with_the_same_commands(config, tmp_path):
    environment = raw_env(config=config, history=tmp_path / "game.json", rounds=2, turns=8, orders=("rush", "camp"))
    play_at_random(environment, 7, games=2)
    environment.close()
    assert environment.histories == [str(tmp_path / "game.json")]
    assert differences(tmp_path / "game.json") == []
    recorded = list(read_session(tmp_path / "game.json"))
    scripts = [[each.decision for each in recorded if isinstance(each, Play) and each.bot == seat] for seat in (0, 1)]
    chosen = configuration.with_lengths(configuration.load(config), 2, 8)
    again = played(*scripts, rules=chosen.rules, seed=7, games=2, prompts=("rush", "camp"), style=chosen.style,
                   header_template=chosen.header_template)  # fmt: skip
    assert same(recorded) == same(again)


def test_every_action_is_played_somewhere_in_those_games():
    chosen = set()

    class Stream(Random):
        def choice(self, legal):
            chosen.update(map(int, legal))
            return super().choice(legal)

    play_at_random(raw_env(config="arena"), 3, stream=Stream(3))
    assert chosen == set(range(len(ACTIONS)))


def test_a_game_that_is_left_is_recorded_as_aborted_and_another_seed_begins_another_file(tmp_path):
    environment = raw_env(history=tmp_path / "game.json", rounds=1, turns=2)
    environment.reset(seed=1)
    environment.step(1)
    environment.reset()
    environment.reset(seed=2)
    environment.close()
    first, second = environment.histories
    assert (first, second) == (str(tmp_path / "game.json"), str(tmp_path / "game-2.json"))
    ends = [record.result.reason for record in read_session(first) if type(record).__name__ == "GameEnded"]
    assert ends == ["aborted", "aborted"]
    assert differences(tmp_path / "game.json") == differences(tmp_path / "game-2.json") == []


@CONFIGS
def test_against_a_brain_it_is_the_match_that_play_plays(config, tmp_path):
    environment = make_single("scripted:dancer", config=config, seat="right", history=tmp_path / "game.json", seed=5)
    stream = Random(1)
    _, info = environment.reset()
    over = False
    while not over:
        _, _, over, _, info = environment.step(int(stream.choice(np.flatnonzero(info["action_mask"]))))
    environment.close()
    recorded = list(read_session(tmp_path / "game.json"))
    mine = ScriptedBrain(each.decision for each in recorded if isinstance(each, Play) and each.bot == 1)
    assert same(play("scripted:dancer", mine, seed=5, config=config, history=None)) == same(recorded)
    assert differences(tmp_path / "game.json") == []


def test_against_a_bot_of_a_file_too_whose_stream_has_a_secret_name(tmp_path):
    (tmp_path / "drawing.py").write_text(
        "from batllm_arcade import bot\n"
        "@bot('drawing')\n"
        "def decide(me, foe, clock): return f'C{clock.rng.random():.6f}'\n"
    )
    names = {"plugins_dir": tmp_path, "rounds": 1, "turns": 6, "seed": 5}
    environment = make_single("drawing:isolation=process", seat="right", history=tmp_path / "game.json", **names)
    environment.reset()
    for _ in range(6):
        environment.step(1)
    environment.close()
    recorded = list(read_session(tmp_path / "game.json"))
    mine = ScriptedBrain(each.decision for each in recorded if isinstance(each, Play) and each.bot == 1)
    assert same(play("drawing:isolation=process", mine, history=None, **names)) == same(recorded)
    assert len(recorded[-1].secret) == 64


def test_an_opponent_is_shown_the_finished_turns_and_told_the_end():
    class Attentive:
        def __init__(self):
            self.turns, self.ends = [], []

        def decide(self, view):
            self.turns.append((view.round, [turn.turn for turn in view.history], view.prompt))
            return Decision("M", "M")

        def end_game(self, result):
            self.ends.append(result["reason"])

    brain = Attentive()
    environment = make_single(brain, rounds=2, turns=2, orders=(None, "rush"), seed=3)
    environment.reset()
    for _ in range(4):
        environment.step(0)
    assert brain.turns == [(1, [], "rush"), (1, [1], "rush"), (2, [], "rush"), (2, [1], "rush")]
    assert brain.ends == ["draw"]


def test_an_opponent_that_fails_now_and_then_plays_on_as_in_a_match(tmp_path):
    @bot("moody")
    def moody(me, foe, clock):
        angle = clock.rng.randrange(1, 90)  # what it draws before it fails does not count
        if clock.turn % 3 == 0:
            raise BrainError("it sulks")
        return f"C{angle}"

    environment = make_single(moody, seat="right", history=tmp_path / "game.json", seed=5, rounds=2, turns=7)
    environment.reset()
    for _ in range(14):
        environment.step(1)
    environment.close()
    mine = ScriptedBrain(["M"] * 14)
    assert same(play(moody, mine, seed=5, rounds=2, turns=7, history=None)) == same(
        read_session(tmp_path / "game.json")
    )


def test_an_opponent_that_meddles_with_its_stream_is_treated_as_in_a_match(tmp_path):
    class Meddles:
        def decide(self, view):
            angle = Random.randrange(view.rng, 1, 90)
            if view.turn == 2:
                view.rng.getstate = view.rng.setstate = view.rng.random = None
            if view.turn == 4:
                view.rng.__dict__.pop("gauss_next")
            return Decision("a turn", f"C{angle}")

    environment = make_single(Meddles(), rounds=1, turns=6, seed=3, history=tmp_path / "game.json")
    environment.reset()
    for _ in range(6):
        environment.step(1)
    environment.close()
    recorded = list(read_session(tmp_path / "game.json"))
    records = list(play(ScriptedBrain(["M"] * 6), Meddles(), rounds=1, turns=6, seed=3, history=None))
    assert same(records) == same(recorded)
    assert [each.status for each in recorded if isinstance(each, Play) and each.bot == 1] == [
        *["ok"] * 3,
        "error",
        *["ok"] * 2,
    ]


def test_an_opponent_that_fails_three_times_in_a_row_forfeits(tmp_path):
    @bot("broken")
    def broken(me, foe, clock):
        raise BrainError("it is broken")

    environment = make_single(broken, rounds=1, seed=3, history=tmp_path / "game.json")
    environment.reset()
    environment.step(0)
    with pytest.warns(UserWarning, match="broken has forfeited a game: it is broken"):
        _, reward, over, _, info = environment.step(0)
    assert (reward, over, info["result"]) == (1.0, True, "forfeit")
    environment.close()
    *_, ended, game, _ = read_session(tmp_path / "game.json")
    assert (ended.ended, game.result.winner, game.result.reason) == ("abandoned", 0, "forfeit")
    assert differences(tmp_path / "game.json") == []


@CONFIGS
def test_a_mask_is_what_the_rules_would_refuse(config):
    rules, environment, stream = configuration.load(config).rules, raw_env(config=config), Random(4)
    environment.reset(seed=8)
    seen = set()
    for agent in environment.agent_iter(200):
        _, _, ended, _, info = environment.last()
        if ended:
            break
        game = environment._match.game
        for index, name in enumerate(COMMANDS):
            token = name.replace("back", f"M-{rules.back_step}")
            refused = not rules.back_step if name == "back" else False
            refused = refused or refusal(game.arena, game.actor, read_command(token or None, rules), rules) is not None
            assert info["action_mask"][index] == (not refused), (agent, name)
            seen.add((name, refused))
        environment.step(stream.choice((ACTIONS.index("M"), stream.randrange(len(ACTIONS)))))
    assert {("M", True), ("M", False), ("B", True), ("B", False), ("S0", False)} <= seen


@CONFIGS
def test_what_agents_see_is_in_its_ranges_and_the_same_from_both_seats(config):
    rules, environment, stream = configuration.load(config).rules, raw_env(config=config), Random(4)
    environment.reset(seed=2)
    for _ in range(300):
        if not environment.agents or any(environment.terminations.values()):
            environment.reset()
        game = environment._match.game
        mine, theirs = environment.observe("player_0"), environment.observe("player_1")
        assert mine.shape == (len(FEATURES),)
        assert (mine >= LOWEST).all()
        assert (mine <= 1).all()
        assert list(mine[:8]) == list(theirs[8:16])
        mirrored = Sight(rules).observe(type(game.arena)(game.arena.right, game.arena.left), 1, game.round - 1,
                                        game.turn - 1, 1 - game.order[0])  # fmt: skip
        assert list(mine) == list(mirrored)
        me, foe = BotView.pair(game.arena, 0, rules)
        seen = dict(zip(FEATURES, mine.tolist(), strict=True))
        assert (seen["i_aim"], seen["foe_aims"]) == (me.aims_at(foe), foe.aims_at(me))
        environment.step(int(stream.randrange(len(ACTIONS))))


def test_the_numbers_are_what_their_names_say():
    environment = raw_env(config="couch")
    environment.reset(seed=11)
    game, rules = environment._match.game, environment._match.rules
    seen = dict(zip(FEATURES, environment.observe("player_0").tolist(), strict=True))
    me = game.arena.left
    assert seen["my_x"] == pytest.approx(me.x / rules.arena_width)
    assert seen["my_charge"] == pytest.approx(rules.initial_charge / rules.battery)
    assert (seen["round"], seen["turn"], seen["i_act_first"]) == (0, 0, game.order[0] == 0)
    aim = ACTIONS.index("@0")
    if game.actor == 1:
        environment.step(0)
    environment.step(aim)
    seen = dict(zip(FEATURES, environment.observe("player_0").tolist(), strict=True))
    assert seen["cos_to_foe"] == pytest.approx(1, abs=1e-4)
    assert seen["i_aim"] == 1


def test_rewards_are_the_result_unless_another_is_asked_for():
    rewards = play_at_random(raw_env(config="couch"), 7)
    assert {reward for _, reward in rewards} <= {0.0, 1.0, -1.0}
    assert sorted(reward for _, reward in rewards[-2:]) == [-1.0, 1.0]
    both = play_at_random(raw_env(config="couch", rewards="damage"), 7)
    assert sum(reward for _, reward in both) == pytest.approx(0)
    assert len({reward for _, reward in both}) > 3
    asked = []
    play_at_random(raw_env(rounds=1, turns=1, rewards=lambda *given: asked.append(given) or 0.5), 7)
    assert [(given[0], given[4] is None) for given in asked] == [(0, True), (1, True), (0, False), (1, False)]


def test_own_actions_can_be_named():
    environment = raw_env(actions=("M", "B", "@0", "C12.5"), history=None)
    assert environment.action_space("player_0").n == 4
    environment.reset(seed=1)
    before = environment._match.game.arena
    environment.step(3)
    after = environment._match.game.arena
    assert {before.left.rot, before.right.rot} != {after.left.rot, after.right.rot}


def test_a_step_of_both_is_a_turn_in_the_acting_order():
    both, alternately = parallel_env(config="couch", seed=9), raw_env(config="couch", seed=9)
    both.reset()
    alternately.reset()
    for _ in range(20):
        actions = {"player_0": ACTIONS.index("@0"), "player_1": ACTIONS.index("M")}
        seen, *_ = both.step(actions)
        for _ in range(2):
            alternately.step(actions[alternately.agent_selection])
        assert all((seen[agent] == alternately.observe(agent)).all() for agent in seen)


def test_a_vector_plays_the_games_that_single_environments_play():
    games, singles = vector_env(2, "scripted:dancer", seed=4, rounds=1, turns=3), []
    for seed in (4, 5):
        singles.append(make_single("scripted:dancer", seed=seed, rounds=1, turns=3))
    seen, infos = games.reset()
    first = [single.reset() for single in singles]
    assert (seen == np.stack([each for each, _ in first])).all()
    for step in range(8):
        seen, rewards, over, _, infos = games.step([step, 2])
        for index, (single, action) in enumerate(zip(singles, (step, 2), strict=True)):
            if step in (3, 7):  # the games were over
                mine, info = single.reset()
            else:
                mine, reward, ended, _, info = single.step(action)
                assert (reward, ended) == (rewards[index], over[index])
            assert (seen[index] == mine).all()
            assert (infos["action_mask"][index] == info["action_mask"]).all()
    games.close()


REFUSALS = Path(__file__).parent / "approved" / "refusals.txt"


def test_a_wrong_choice_and_a_wrong_opponent_are_said_in_a_sentence():
    def refusal(case):
        maker, choices = case
        with pytest.raises(UsageError) as error:
            {"raw_env": raw_env, "make_single": make_single}[maker](**choices)
        return str(error.value).partition("; choose one of")[0]  # the others that are installed do not matter

    approve(REFUSALS, refusal)


def test_a_step_without_a_game_and_an_action_that_does_not_exist_are_said():
    first = raw_env()
    first.reset(seed=1)
    with pytest.raises(UsageError, match="no action 99; the actions are 0 to 28"):
        first.step(99)
    environment = make_single(rounds=1, turns=1)
    for ready in (lambda: None, lambda: (environment.reset(seed=1), environment.step(0))):
        ready()
        with pytest.raises(UsageError, match="no game is under way"):
            environment.step(0)


def test_without_its_library_the_environment_says_what_to_install(monkeypatch):
    import sys

    import batllm_arcade.env as package

    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "batllm_arcade.env.pairs", raising=False)
    with warnings.catch_warnings(), pytest.raises(ModuleNotFoundError, match=r"pip install 'batllm-arcade\[rl\]'"):
        package.raw_env  # noqa: B018


@bot("counter")
class RememberingBot:
    """Turns farther each time, which a copy has to remember."""

    def __init__(self):
        self.turns = 0

    def decide(self, me, foe, clock):
        self.turns += 1
        return f"C{self.turns}"


@pytest.mark.parametrize("opponent", ["scripted:dancer", "scripted:strategist,level=merciless", RememberingBot])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
def test_a_copy_goes_on_exactly_as_the_first_would(opponent, copied):
    game = make_single(opponent, config="arena", seed=5)
    game.reset()
    game.step(3)
    other = copied(game)
    for action in (1, 2, 5, 7, 1, 14, 2, 3, 4, 9) * 3:
        (seen, *first), (same, *second) = game.step(action), other.step(action)
        assert (seen == same).all()
        assert first[:3] == second[:3]
        if first[1]:
            break


def test_what_cannot_be_copied_says_so(tmp_path):
    recorded = make_single(config="couch", history=tmp_path / "a.json")
    recorded.reset()
    with pytest.raises(UsageError, match="leave history and render_mode out"):
        copy.deepcopy(recorded)
    recorded.close()


def test_masks_seeds_and_actions_come_as_learners_send_them():
    game = make_single("scripted:dancer", config="couch", seed=1)
    _, info = game.reset(seed=np.int64(3))
    assert (game.action_masks() == info["action_mask"]).all()
    assert (game.reset(seed=3)[0] == make_single("scripted:dancer", config="couch", seed=3).reset()[0]).all()
    one, other = (make_single("scripted:dancer", config="couch", seed=3) for _ in range(2))
    one.reset()
    other.reset()
    assert (one.step(np.array([1]))[0] == other.step(1)[0]).all()
    with pytest.raises(UsageError, match="an action is a whole number"):
        one.step(np.array([1, 2]))


def test_gymnasium_makes_it_by_its_id():
    game = gymnasium.make("batllm_arcade.env:BatLLM/Duel-v0", opponent="scripted:dancer", config="couch")
    seen, _ = game.reset(seed=3)
    assert (seen == make_single("scripted:dancer", config="couch", seed=3).reset()[0]).all()


# -- Against a copy of oneself


def policy(seen, masks):
    """An allowed action that what is seen decides, for each row."""
    draws = (int(1e6 * abs(row).sum()) for row in seen)
    return [int(np.flatnonzero(mask)[draw % mask.sum()]) for draw, mask in zip(draws, masks, strict=True)]


class Watching:
    """An opponent that gets views, sees the numbers of an agent in them, and plays as the policy does."""

    def __init__(self):
        self.seen = []

    def decide(self, view):
        self.seen.append(observe(view))
        table, sight = ActionTable(ACTIONS, view.rules), Sight(view.rules)
        (number,) = policy(self.seen[-1:], [table.mask(view.arena, view.seat, sight)])
        token = table.command(number, view.arena, view.seat)[0]
        return Decision(token or "", token)


@pytest.mark.parametrize("seat", ["left", "right"])
def test_games_against_a_copy_are_those_against_a_brain_that_plays_alike(seat):
    asked, watching = [], Watching()

    def copied(seen, masks):
        asked.append(seen)
        return policy(seen, masks)

    choices = {"config": "arena", "seat": seat, "rewards": "damage", "rounds": 2, "turns": 6}
    rows = []
    for game in (vector_env(3, Rival(copied), **choices), vector_env(3, watching, **choices)):
        seen, info = game.reset(seed=4)
        rows.append([seen.tolist()])
        for _ in range(20):
            seen, rewards, over, _, info = game.step(policy(seen, info["action_mask"]))
            rows[-1].append((seen.tolist(), rewards.tolist(), over.tolist()))
    assert rows[0] == rows[1]
    assert any(any(over) for _, _, over in rows[0][1:])
    assert {tuple(row) for seen in asked for row in seen} == {tuple(row) for row in watching.seen}
    assert max(map(len, asked)) == 3  # all games at once


def test_a_copy_can_be_replaced_and_has_to_answer_for_every_game():
    rival = Rival(policy)
    games = vector_env(2, rival, config="couch", seed=1)
    games.reset()
    rival.act = lambda seen, masks: [0]
    with pytest.raises(UsageError, match="an action for each of 2 games, not 1"):
        games.step([0, 0])
