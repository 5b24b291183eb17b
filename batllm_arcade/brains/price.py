"""What a model costs: the option `price=IN/OUT`, money per million tokens read and written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from batllm_arcade.errors import UsageError

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a million tokens that a model reads (`prompt`) and of a million that it writes (`completion`)."""

    read: float
    written: float

    def of(self, tokens: Mapping[str, int]) -> float:
        """Return what these tokens cost."""
        return (tokens.get("prompt", 0) * self.read + tokens.get("completion", 0) * self.written) / _MILLION


def parse_price(text: str, option: str = "price") -> Price | None:
    """Return the price that `IN/OUT` means, None for ""; raise UsageError if it is none."""
    if not text:
        return None
    read, _, written = text.partition("/")
    try:
        price = Price(float(read), float(written))
    except ValueError:
        price = Price(-1, -1)
    if not (0 <= price.read <= 1e6 and 0 <= price.written <= 1e6):
        raise UsageError(f"{option} must be two numbers per million tokens, such as 0.15/0.60, not {text!r}")
    return price


def cost_of(options: Mapping[str, object], tokens: Mapping[str, int]) -> float | None:
    """Return what a brain's tokens cost by its recorded options, None without a price or tokens."""
    try:
        price = parse_price(str(options.get("price", "")))
    except UsageError:  # of a file that others wrote
        return None
    return price.of(tokens) if price and tokens else None


def money(amount: float) -> str:
    """Return an amount with as many digits as a small one needs."""
    return f"{amount:.2f}" if amount >= 1 else f"{amount:.4f}"
