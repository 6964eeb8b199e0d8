"""Numbers written in digits: separators, exponents, powers; and how a decimal is spelled in the graph."""

from __future__ import annotations

import re
from decimal import Context, Decimal
from typing import NamedTuple

CONTEXT = Context(prec=120, Emax=999, Emin=-999)
NUMBER = re.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,]*\d)|\d{1,3}(?:[\u00a0\u2009\u202f]\d{3})+(?!\d)|\d{1,3}(?: \d{3}){2,}(?!\d)"
    r"|\d+(?:_\d{3})+(?!\d)|\d+(?:\.\d+)?|\.\d+"
)
_SEPARATORS = re.compile(r"[,_ \u00a0\u2009\u202f]")
_EXPONENT = re.compile(r"[eE]([+\-−]?\d{1,2})(?![\d.A-Za-z])")
_RAISED = re.compile(r"\^\{?([+\-−]?\d{1,2})\}?(?!\d)|([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})")
_TIMES_TEN = re.compile(r"\s?(?:[×xX*·]|\\times|\\cdot)\s?10(?=[\^⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹])")
_POWERS = frozenset("×xX*·\\eE^⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹")  # what the spelling of a power may begin with, but for a blank
_SUPERSCRIPTS = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "+-0123456789-")
# Full-width digits and signs of numbers; a full-width comma is no separator and stays.
_NARROW = str.maketrans("０１２３４５６７８９．％＋－", "0123456789.%+-")
_WIDE = re.compile("[０-９．％＋－]")


class Numeral(NamedTuple):
    """A number as read: `plain` when it is nothing but digits."""

    end: int
    value: Decimal
    plain: bool


def narrowed(text: str) -> str:
    """The text with digits and their signs in half width, of the same length."""
    return text.translate(_NARROW) if _WIDE.search(text) else text


def spelled(value: Decimal) -> str:
    """Canonical decimal: no exponent, no trailing zeros, no minus before zero."""
    printed = str(value)
    # Most are small whole numbers, which need no normal form.
    if printed.isdigit() and printed[0] != "0":
        return printed
    return format(CONTEXT.normalize(value) if value else Decimal(0), "f")


def product(value: Decimal, factor: Decimal) -> Decimal:
    """An exact product."""
    return CONTEXT.multiply(value, factor)


def read(chars: str, found: re.Match[str]) -> Numeral | None:
    """The number that a match of NUMBER begins, with its exponent or power; None when it is part of a longer name."""
    printed, end = found.group(), found.end()
    plain = printed.isdigit()
    raw = printed if plain else _SEPARATORS.sub("", printed)
    then = chars[end : end + 1]
    if len(raw) > 40 or (then == "." and chars[end + 1 : end + 2].isdigit()):
        return None
    value = Decimal(raw)
    if not (then.isspace() or then in _POWERS):
        return Numeral(end, value, plain)
    times = _TIMES_TEN.match(chars, end)
    if times and (power := _RAISED.match(chars, times.end())):
        return Numeral(power.end(), value.scaleb(_exponent(power), CONTEXT), False)
    if exponent := _EXPONENT.match(chars, end):
        return Numeral(exponent.end(), value.scaleb(_exponent(exponent), CONTEXT), False)
    if value in (2, 10) and (power := _RAISED.match(chars, end)):
        return Numeral(power.end(), CONTEXT.power(value, _exponent(power)), False)
    return Numeral(end, value, plain)


def _exponent(found: re.Match[str]) -> int:
    printed = next(group for group in found.groups() if group is not None)
    return int(printed.translate(_SUPERSCRIPTS))
