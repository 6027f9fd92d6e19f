"""The charts of a PAR sheet as data, to be drawn by `drawing`."""

import msgspec


class Bar(msgspec.Struct, frozen=True):
    label: str
    value: float
    colour: str


class Bars(msgspec.Struct, frozen=True):
    bars: tuple[Bar, ...]
    across: str
    up: str


class Curve(msgspec.Struct, frozen=True):
    name: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    low: tuple[float, ...] = ()
    """The lower and upper bounds of a band around the curve, where there is one."""
    high: tuple[float, ...] = ()


class Panel(msgspec.Struct, frozen=True):
    title: str
    curves: tuple[Curve, ...]


class Panels(msgspec.Struct, frozen=True):
    """Small charts side by side, each with its own scale."""

    panels: tuple[Panel, ...]
    across: str
    up: str
    powers_of_ten: bool = False
    """Whether the horizontal scale is logarithmic."""


Chart = Bars | Panels
