"""Whether two results are the same: what eager gave and what the exported program gave."""

# pyright: basic
from __future__ import annotations

import re
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils import _pytree as pytree

_RELATIVE = 1e-4
_ABSOLUTE = 1e-5


def difference(eager: Any, exported: Any) -> str | None:
    """In words, the first place where `exported` is not what `eager` is; None where they agree."""
    wanted, _ = pytree.tree_flatten(eager, is_leaf=_is_set)
    given, _ = pytree.tree_flatten(exported, is_leaf=_is_set)
    if len(wanted) != len(given):
        return f"{len(given)} values instead of {len(wanted)}"
    for number, (one, other) in enumerate(zip(wanted, given)):
        text = _leaf_difference(one, other)
        if text is not None:
            return f"value {number}: {text}"
    return None


def _is_set(value: Any) -> bool:
    """A set is compared as one, also where it is registered: its tensors are in no order."""
    return isinstance(value, (set, frozenset))


def _set_difference(one: list[Any], other: list[Any]) -> str | None:
    if len(one) != len(other):
        return f"{len(other)} elements instead of {len(one)}"
    for value in one:
        like = next((candidate for candidate in other if _leaf_difference(value, candidate) is None), None)
        if like is None:
            return "an element is missing"
        other = [candidate for candidate in other if candidate is not like]
    return None


def _leaf_difference(one: Any, other: Any) -> str | None:
    if _is_set(one) and _is_set(other):
        return _set_difference(list(one), list(other))
    if isinstance(one, torch.Tensor) != isinstance(other, torch.Tensor):
        return f"{type(other).__name__} instead of {type(one).__name__}"
    if isinstance(other, FakeTensor):
        # What tracing left behind instead of a value: the program "runs" and computes nothing.
        return "a fake tensor instead of a value"
    if isinstance(one, torch.Tensor):
        one, other = one.detach(), other.detach()
        if one.shape != other.shape:
            return f"shape {tuple(other.shape)} instead of {tuple(one.shape)}"
        if one.dtype != other.dtype:
            return f"{other.dtype} instead of {one.dtype}"
        if one.is_floating_point() or one.is_complex():
            same = torch.allclose(one, other, rtol=_RELATIVE, atol=_ABSOLUTE, equal_nan=True)
        else:
            same = bool((one == other).all())
        return None if same else "other numbers"
    if isinstance(one, float) and isinstance(other, (int, float)):
        return None if abs(one - other) <= _ABSOLUTE + _RELATIVE * abs(one) else f"{other} instead of {one}"
    return None if one == other else f"{_told(other)} instead of {_told(one)}"


def _told(value: Any) -> str:
    """A value as text, without the address that an object of no better text names: it is another one each time."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))
