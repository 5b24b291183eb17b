"""Analyses a recorded session on a thread: each side's chance after every play, the best ones, marks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from batllm_arcade.analysis.judgement import Judgement, judgements
from batllm_arcade.app.services.background import BackgroundTask, Report
from batllm_arcade.video.encode.switch_interval import short_switch_interval

Judged = Mapping[int, list[Judgement]]
"""What was found of the plays of each game, by its number."""
_SWITCH_INTERVAL_S = 0.001  # with Python's default the pictures would stutter


class SessionAnalysis(BackgroundTask[Judged]):
    """An analysis under way; `share` is how much of it is done, 0 to 1. It may be cancelled at any moment."""

    def __init__(self, path: Path, game: int | None = None) -> None:
        self.path, self.share = path, 0.0
        super().__init__("analysis", lambda report: self._analysed(game, report))

    def _analysed(self, game: int | None, report: Report) -> Judged:
        from batllm_arcade.analysis.session import analyse
        from batllm_arcade.history.reader import read

        def progress(done: int, every: int) -> None:
            self.share = done / max(1, every)
            report(f"working out the chances, {self.share:.0%}")

        report("working out the chances")
        with short_switch_interval(_SWITCH_INTERVAL_S):
            games = analyse(read(self.path), game, progress)["games"]
        return {each["game_number"]: judgements(each) for each in games}
