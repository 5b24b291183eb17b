"""The title: a match that never ends, the logo and the menu beside it."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.menu_screen import MenuScreen
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.widgets import Button, grid, place
from batllm_arcade.app.pictures import draw_logo
from batllm_arcade.app.services.showreel import AttractMatch, Showreel
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.errors import UsageError
from batllm_arcade.history.paths import sessions_folder
from batllm_arcade.plugin.dropins import TrustedFiles
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.session.puzzles import puzzles
from batllm_arcade.settings import config as configuration
from batllm_arcade.view import theme
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.theme import mixed

_DEMO = "arena"
"""The configuration that the demo plays by: the one with most to see."""
_RIM = 16  # of the arena's wall and its glow, logical pixels of the picture
_LEAGUES = "Let players meet many times, and see who is better"
_LEFT_OUT = "Files of your plugins folder that want to run inside the program"
_SAYING = "Two bots, one arena. You, a friend or an AI."


class TitleScreen(MenuScreen):
    """The arcade's attract mode: the demo takes two thirds of the screen, and nothing covers it."""

    leads_back = False

    def __init__(self, ui: Ui, go: Navigation, services: Services, plan: SessionPlan) -> None:
        super().__init__(ui)
        self.go, self.services = go, services
        self._demo_rules = configuration.load(_DEMO).rules
        demo = AttractMatch(services.plugins, self._demo_rules, ui.settings.display)
        self._reel = Showreel(demo, sessions_folder(), ui.settings.display)
        services.availability.look()
        self._picture: Renderer | None = None
        self._behind: pygame.Surface | None = None
        self._scene: Scene | None = None
        every = puzzles()
        following = min(int(ui.settings.puzzles), len(every) - 1) + 1
        named = f"Small positions to be solved: {following} of {len(every)}, {every[following - 1].name}"
        entries = [
            ("PLAY", lambda: go.seats(plan), "Choose who fights, write the orders, fight"),
            ("PHONES", lambda: go.phones(plan), "Phones on this network play, on pages of their own"),
            ("TONIGHT", lambda: go.tonight(self.complain), "A cup for up to 16: people, phones, bots and models"),
            ("PUZZLES", lambda: go.puzzle(following, self.complain), named),
            ("SESSIONS", go.sessions, "Watch recorded matches again, and make films of them"),
            ("LEAGUES", go.leagues, _LEAGUES),
            ("SETTINGS", go.settings_screen, "Picture, sound, keys and buttons"),
            ("HELP", go.help_screen, "The controls and the rules"),
            ("QUIT", go.quit, "Close the game"),
        ]
        if services.plugins.untrusted:
            entries.insert(-1, ("PLUGINS LEFT OUT", self._show_left_out, _LEFT_OUT))
        self._buttons = [Button(text, do, hint=hint, big=text == "PLAY") for text, do, hint in entries]
        self._leagues = next(button for button in self._buttons if button.text == "LEAGUES")
        self.form.place(("", self._buttons, None))

    def _show_left_out(self) -> None:
        """List the files that were left out because they need the program itself; one can be trusted."""
        files = self.services.plugins.untrusted
        items = [(f"{name}.py", f"It has {file.asks}") for name, file in files.items()]
        self.pick("Plugins left out", items, 0, lambda index: self._ask_trust(list(files)[index]))

    def _ask_trust(self, name: str) -> None:
        """Ask whether a file may run inside the program; the focus is on the answer that lets nothing in."""
        can = "From then on it can do what you can: read your files and keys. Only if you wrote it, or have read it"
        items = [("Leave it out", "Nothing of it runs inside the program"), ("Trust it, as it is now", can)]
        self.pick(f"Let {name}.py in?", items, 0, lambda index: self._trust(name) if index else None)

    def _trust(self, name: str) -> None:
        """Remember the content of this file that was looked at; whatever is in it later is not trusted."""
        try:
            TrustedFiles().remember([(name, self.services.plugins.untrusted[name].digest)])
        except UsageError as error:
            self.complain(str(error))
        else:
            self.problem = f"{name}.py is trusted: it is there when you open the arcade again"

    def back(self) -> None:
        """Move to QUIT first, so that nobody leaves by pressing escape once too often."""
        if self.form.focus is self._buttons[-1]:
            self.go.quit()
        else:
            self.form.set_focus(self._buttons[-1])

    def leave(self) -> None:
        super().leave()
        self._reel.close()
        self.services.wait_at_end(self._reel.task)

    def go_on(self) -> None:
        self._buttons[0].do()

    def keys(self) -> Sequence[tuple[str, str]]:
        sound = "sound" if self.ui.settings.muted else "mute"
        return [("up down", "choose"), ("confirm", "start"), ("help", "help"), ("mute", sound)]

    def update(self, now: float) -> None:
        super().update(now)
        jobs = self.services.league_jobs
        going = f"A league is being played: {jobs.pairs:,} of {jobs.total:,} pairs"
        self._leagues.hint = _LEAGUES if jobs.folder is None else going
        self._scene = self._reel.at(now)

    @staticmethod
    def _is_tall(canvas: Canvas) -> bool:
        return canvas.size[1] > canvas.size[0]

    def _picture_scale(self, canvas: Canvas) -> float:
        """Return the demo's pixels for a logical pixel of the match: in a tall window it takes two fifths of it."""
        width, height = canvas.size
        if self._is_tall(canvas):
            return max(0.05, min(0.92 * width, 0.42 * height) / (theme.ARENA_SIZE + 2 * _RIM))
        return min(width / theme.WIDTH, height / theme.HEIGHT)

    def _arena(self, canvas: Canvas) -> pygame.Rect:
        (width, height), scale = canvas.size, self._picture_scale(canvas)
        side = round((theme.ARENA_SIZE + 2 * _RIM) * scale)
        if self._is_tall(canvas):  # below the menu
            return pygame.Rect((width - side) // 2, height - side - round(0.01 * height), side, side)
        return pygame.Rect(width - side - round(16 * scale), (height - side) // 2 + round(0.03 * height), side, side)

    def _column(self, canvas: Canvas) -> tuple[float, float]:
        if self._is_tall(canvas):
            wide = min(560.0, canvas.width - 40)
            return (canvas.width - wide) / 2, wide
        room = self._arena(canvas).left / canvas.scale
        wide = min(400.0, room - 56)
        return max(28.0, (room - wide) / 2), wide

    def arrange(self, canvas: Canvas) -> None:
        self._fit_picture(canvas)
        (left, wide), tall = self._column(canvas), self._is_tall(canvas)
        below = self._arena(canvas).top / canvas.scale - 34 if tall else canvas.height
        self._size = min(96.0, wide / 4.3, below * 0.14)
        top = below * (0.085 if below > 560 else 0.05)
        first = top + self._size * 2.2 + (48 if below > 560 else 14)
        room = below - 84 - first
        self._foot, self._top = below, top
        play, *others = self._buttons
        across = 1 + tall
        lines = -(-len(others) // across)
        high = min(50.0, (room - 8 * lines) / (lines + 1.3))
        play.box = Box(left, first, wide, high * 1.3)
        place(others, grid(Box(left, play.box.bottom + 8, wide, 0), len(others), across, high, 8))

    def _fit_picture(self, canvas: Canvas) -> None:
        scale, display = self._picture_scale(canvas), self.ui.settings.display
        size = (round(theme.WIDTH * scale), round(theme.HEIGHT * scale))  # of which only the arena is shown
        rules = self._scene.board.rules if self._scene is not None else self._demo_rules
        kept = self._picture
        if kept is None or (kept.size, kept.rules, kept.display) != (size, rules, display):
            self._picture = kept = Renderer(size, rules, display)
            self._behind = pygame.Surface(size)

    def place_hints(self, canvas: Canvas) -> None:
        left, wide = self._column(canvas)
        self.hints_at(canvas, (left + wide / 2, self._foot - 22), wide + 8)

    def paint_back(self, canvas: Canvas, now: float) -> None:
        super().paint_back(canvas, now)
        kept = self._picture
        assert kept is not None
        assert self._behind is not None
        kept.draw_arena(self._behind, self._scene)
        rect = self._arena(canvas)
        corner = kept.pixel((theme.WIDTH - theme.ARENA_SIZE) / 2 - _RIM, theme.ARENA_TOP - _RIM)
        canvas.target.blit(self._behind, rect, (corner, rect.size))
        if self._scene is not None:
            self._paint_names(canvas, self._scene, rect)

    def _paint_names(self, canvas: Canvas, scene: Scene, rect: pygame.Rect) -> None:
        scale = canvas.scale
        rim = _RIM * self._picture.scale if self._picture else 0
        left, right, top = (rect.left + rim) / scale, (rect.right - rim) / scale, (rect.top + rim) / scale
        wide = (right - left) * 0.40
        for seat, (info, pose) in enumerate(zip(scene.board.seats, scene.bots, strict=True)):
            color = theme.SEAT_COLORS[seat]
            x = right - wide if seat else left
            at = (right if seat else left, top - 40)
            canvas.words(at, info.name.upper(), "label", 16, color, width=wide, side="right" if seat else "left")
            bar = Box(x, top - 17, wide, 8)
            canvas.box(bar, theme.SUNKEN, theme.PANEL_EDGE, width=1, radius=4)
            full = max(0.0, min(1.0, pose.health)) * bar.w
            if full > 1:
                fill = Box(bar.right - full if seat else bar.x, bar.y, full, 8)
                canvas.box(fill, mixed(color, theme.NIGHT, 0.1), None, radius=4)
        middle = (left + right) / 2
        what = "DEMO" if self._reel.cut is None else "REPLAY"
        canvas.words((middle, top - 22), what, "bold", 13, theme.DIM, side="middle")
        self._paint_moment(canvas, Box(left, top, right - left, (rect.bottom - rim) / scale - top))
        banner = scene.banner
        if scene.board.result is not None and banner is not None:
            y = (rect.top + rect.height * 0.5) / scale
            high = 84.0
            canvas.box(Box(left, y - high / 2, right - left, high), theme.NIGHT, None, radius=0, alpha=190)
            canvas.words((middle, y - 12), banner.title, "title", 32, theme.TEXT, width=right - left, side="middle")
            canvas.words((middle, y + 22), banner.subtitle, "label", 16, theme.SOFT, width=right - left, side="middle")

    def _paint_moment(self, canvas: Canvas, arena: Box) -> None:
        cut = self._reel.cut
        if cut is None or not cut.text:
            return
        color = theme.TEXT if cut.bot is None else theme.SEAT_COLORS[cut.bot]
        wide = min(arena.w - 24, canvas.measure(cut.text, "label", 18) + 36)
        chip = Box(arena.middle[0] - wide / 2, arena.bottom - 46, wide, 34)
        canvas.box(chip, theme.NIGHT, mixed(theme.NIGHT, color, 0.7), radius=17, alpha=225)
        canvas.words(chip.middle, cut.text, "label", 18, color, width=wide - 24, side="middle")

    def paint(self, canvas: Canvas, now: float) -> None:
        left, wide = self._column(canvas)
        high = draw_logo(canvas, (left, self._top), self._size, now, still=self.still)
        if self._foot > 560:
            canvas.words((left + 2, self._top + high + 2), _SAYING, "label", 16, theme.SOFT, width=wide)

    def paint_foot(self, canvas: Canvas) -> None:
        focus = self.form.focus
        problem = self.problem or next(iter(self.services.plugins.problems[-1:]), "")
        words, color = (problem, theme.DANGER) if problem else (focus.hint if focus else "", theme.SOFT)
        left, wide = self._column(canvas)
        y = self._foot - (76 if problem else 60)
        canvas.block((left + 2, y), words, "label", 15, color, wide, 2 if problem else 1)
        self.hint_bar.draw(canvas)
