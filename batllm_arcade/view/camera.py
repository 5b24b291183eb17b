"""The one transform from the world to pixels."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Camera:
    """Maps world units to pixels: `scale` pixels a unit, (left, top) the pixel of the world's origin."""

    scale: float
    left: float
    top: float

    @classmethod
    def fitting(cls, width: float, height: float, box: tuple[float, float, float, float]) -> Camera:
        """A world of width x height, centred in the pixel box (left, top, width, height)."""
        left, top, wide, high = box
        scale = min(wide / width, high / height)
        return cls(scale, left + (wide - width * scale) / 2, top + (high - height * scale) / 2)

    def point(self, x: float, y: float) -> tuple[float, float]:
        """The pixel of a world point."""
        return self.left + x * self.scale, self.top + y * self.scale

    def length(self, value: float) -> float:
        """A world length in pixels."""
        return value * self.scale

    def shifted(self, dx: float, dy: float) -> Camera:
        """The camera with its picture moved by (dx, dy) world units."""
        return Camera(self.scale, self.left + dx * self.scale, self.top + dy * self.scale)
