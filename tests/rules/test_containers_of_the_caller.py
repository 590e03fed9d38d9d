"""Lists and dicts among the inputs that forward changes: the exported program leaves the caller's as they are, and check says so."""

from __future__ import annotations

import copy

import pytest
from checking import Checker

from ..programs import block, fill

torch = pytest.importorskip("torch")

NET = """\
import torch


class Net(torch.nn.Module):
    def first_added(self, parts):
        parts[0] = parts[0] + 1

    def forward(self, xs, d):
        {body}


model = Net()
example_args = ([torch.randn(3), torch.randn(3)], {{"a": torch.randn(3), "b": [torch.randn(3)]}})
"""
CHANGED = {
    "item": "xs[0] = xs[0] + 1\nreturn xs[0]",
    "append": "xs.append(d['a'])\nreturn xs[-1]",
    "pop": "return xs.pop() + xs[0]",
    "augmented": "xs += [d['a']]\nreturn xs[-1]",
    "slice": "xs[:] = [x + 1 for x in xs]\nreturn xs[0]",
    "deleted": "del xs[0]\nreturn xs[0]",
    "in a helper": "self.first_added(xs)\nreturn xs[0]",
    "by another name": "ys = xs\nys[0] = ys[0] + 1\nreturn xs[0]",
    "in a loop": "for at in range(len(xs)):\n    xs[at] = xs[at] * 2\nreturn xs[0]",
    "nested": "d['b'][0] = xs[0]\nreturn d['b'][0] + 1",
    "key": "d['c'] = xs[0]\nreturn d['c'] + 1",
    "update": "d.update(c=xs[0])\nreturn d['c'] + 1",
    "merged": "d |= {'c': xs[0]}\nreturn d['c'] + 1",
    "setdefault": "return d.setdefault('c', xs[0]) + 1",
    "returned": "d['c'] = xs[0] * 2\nreturn d",
}
LEFT = {
    "copied": "xs = list(xs)\nxs[0] = xs[0] + 1\nreturn xs[0]",
    "copied by itself": "d = d.copy()\nd['a'] = xs[0]\nreturn d['a'] + 1",
    "spread": "e = {**d, 'c': xs[0]}\nreturn e['c'] + 1",
    "added": "ys = xs + [d['a']]\nreturn ys[-1] + 1",
    "there already": "return d.setdefault('a', xs[0]) + 1",
    "tensor in place": "xs[0] += 1\nreturn xs[0] * 2",
    "its own": "ys = []\nys.append(xs[0])\nreturn ys[0] + 1",
}


def structure(value: object) -> object:
    """Which containers a value holds, and the numbers of its tensors."""
    if isinstance(value, (list, tuple)):
        return [structure(part) for part in value]
    if isinstance(value, dict):
        return {key: structure(part) for key, part in value.items()}
    return value.tolist()  # type: ignore[attr-defined]


def leaves_them(text: str) -> bool:
    """Whether the exported program changes its inputs as eager does."""
    names: dict[str, object] = {}
    exec(text, names)
    given = names["example_args"]
    program = torch.export.export(names["model"], copy.deepcopy(given)).module()  # type: ignore[arg-type]
    eager, exported = copy.deepcopy(given), copy.deepcopy(given)
    names["model"](*eager)  # type: ignore[operator]
    program(*exported)  # type: ignore[misc]
    return structure(eager) == structure(exported)


@pytest.mark.parametrize("name", [*CHANGED, *LEFT])
def test_what_is_changed_of_the_callers(name: str, check_text: Checker) -> None:
    text = fill(NET, body=block({**CHANGED, **LEFT}[name]))
    found = {finding.code for finding in check_text(text).findings}
    assert found == ({"EDB402"} if name in CHANGED else set())
    assert leaves_them(text) is (name in LEFT)


def test_an_option_that_is_not_given_is_no_list_of_the_callers(check_text: Checker) -> None:
    text = """
    import torch

    class Net(torch.nn.Module):
        def forward(self, x, seen=None):
            if seen is None:
                seen = []
            seen.append(x)
            return torch.stack(seen)

    model = Net()
    example_args = (torch.randn(3),)
    """
    assert not check_text(block(text)).findings
