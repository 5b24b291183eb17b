"""The only transform from world units to pixels."""

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
        """Return the camera for a world of width x height, centred in a pixel box (left, top, width, height)."""
        left, top, wide, high = box
        scale = min(wide / width, high / height)
        return cls(scale, left + (wide - width * scale) / 2, top + (high - height * scale) / 2)

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel position of a point in world units."""
        return self.left + x * self.scale, self.top + y * self.scale

    def length(self, value: float) -> float:
        """Return a length in world units as pixels."""
        return value * self.scale

    def shifted(self, dx: float, dy: float) -> Camera:
        """Return a camera whose picture is moved by (dx, dy) world units."""
        return Camera(self.scale, self.left + dx * self.scale, self.top + dy * self.scale)
