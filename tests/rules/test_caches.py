"""State that every call could make anew is no state; what looks like it and depends on data is."""

from __future__ import annotations

import pytest
from checking import Checker
from exportdb_rules import engine
from exportdb_rules.project import Project

from ..programs import block, fill

NET = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
        self.scale = 2.0
        self.kept = {first}
        self.length = 0

    def forward(self, x):
        n = x.shape[1]
        {body}
"""


def codes(body: str, first: str = "None") -> list[str]:
    project = Project()
    project.set_text("/net.py", fill(NET, first=first, body=body))
    report = engine.check(project, "/net.py", engine.Settings())
    return [finding.code for finding in report.findings]


OF_SIZES = {
    "made in a comprehension": """
        shape = x.shape
        if self.length != shape:
            self.kept, self.grid = (x.sum() for x in torch.arange(n * 2.0).chunk(2))
            self.length = shape
        return x * self.kept * self.grid
    """,
    "made where there is none": """
        if not hasattr(self, "grid"):
            self.grid = torch.arange(n) * self.scale
        return x * self.grid
    """,
    "handed out where there is one": """
        if hasattr(self, "length_of_grid"):
            return x * self.length_of_grid
        self.length_of_grid = n
        return x * self.length_of_grid
    """,
    "made once": """
        if self.kept is None:
            self.kept = torch.arange(n) * self.scale
        return x * self.kept
    """,
    "grows": """
        if self.kept is None or self.kept.shape[0] < n:
            self.kept = torch.ones(n, n).tril()
        return x @ self.kept[:n, :n]
    """,
    "looked for": """
        if not hasattr(self, 'mask'):
            self.mask = torch.zeros(n, device=x.device)
        return x + self.mask
    """,
    "by its length": """
        if n > self.length:
            self.length = n
            t = torch.arange(n)
            self.kept = t.cos()
        return x * self.kept[:n]
    """,
    "without gradients": """
        if self.length != n:
            with torch.no_grad():
                self.kept = x.new_zeros(n)
            self.length = n
        return x + self.kept
    """,
}


@pytest.mark.parametrize("body", OF_SIZES.values(), ids=OF_SIZES)
def test_what_is_made_of_sizes_is_no_state(body: str) -> None:
    assert codes(body) == []


# Grids for images of any size, made where the last ones had another: how forward asks for that, and what it was at first.
BY_SHAPE = {
    "a shape that was none": ("self.shape != shape", "None"),
    "or none": ("self.shape is None or self.shape != shape", "None"),
    "not the same": ("not self.shape == shape", "None"),
    "an option": ("self.always or self.shape != shape", "None"),
    "no grid yet": ("self.kept is None or self.shape != shape", "None"),
    "a shape of two": ("self.shape != shape", "(0, 0)"),
}


@pytest.mark.parametrize("name", BY_SHAPE)
def test_a_grid_by_a_dynamic_shape_is_no_state(name: str, check_text: Checker) -> None:
    asked, first = BY_SHAPE[name]
    text = f"""
    import torch
    from torch.export import Dim

    class Net(torch.nn.Module):
        always = False

        def __init__(self):
            super().__init__()
            self.shape = {first}
            self.kept = None
            self.layer = torch.nn.Conv2d(3, 2, 1)

        def forward(self, x):
            x = self.layer(x)
            shape = x.shape
            h, w = shape[2:]
            if {asked}:
                rows = torch.arange(h).float() + 0.5
                self.kept = (rows[:, None] * torch.linspace(0, 1, w)).view(h, w)
                self.shape = shape
            return x + self.kept

    model = Net()
    example_args = (torch.randn(2, 3, 8, 6),)
    dynamic_shapes = {{"x": {{2: Dim("h", min=2), 3: Dim("w", min=2)}}}}
    """
    assert [finding.code for finding in check_text(block(text)).findings if finding.code != "EDB304"] == []


OF_DATA = {
    "where there is none": """
        if not hasattr(self, "mean"):
            self.mean = x.mean(0)
        return x - self.mean
    """,
    "a mark that is there": """
        if not hasattr(self, "marked"):
            self.kept = x.mean(0)
            self.marked = True
        return x - self.kept
    """,
    "data": """
        if self.kept is None:
            self.kept = x.mean(0)
        return x - self.kept
    """,
    "random": """
        if self.kept is None:
            self.kept = torch.randn(n)
        return x - self.kept
    """,
    "a layer": """
        if self.kept is None:
            self.kept = self.layer(x)
        return x - self.kept
    """,
    "added to": """
        if self.kept is None:
            self.kept = torch.zeros(n)
        self.kept = self.kept + x.mean(0)
        return x - self.kept
    """,
    "in place": """
        if self.kept is None:
            self.kept = torch.zeros(n)
        self.kept.add_(x.mean())
        return x - self.kept
    """,
    "else": """
        if self.kept is None:
            y = x * 2
            self.kept = torch.zeros(n)
        else:
            y = x
        return y + self.kept
    """,
    "asked before": """
        y = x if self.kept is None else x * 2
        if self.kept is None:
            self.kept = torch.zeros(n)
        return y + self.kept
    """,
    "more": """
        if self.kept is None:
            x = x * 2
            self.kept = torch.zeros(n)
        return x + self.kept
    """,
    "counted": """
        self.length = self.length + 1
        return x * self.length
    """,
    "before": """
        y = x * self.length
        self.length = n
        return y
    """,
    "by data": """
        if x.sum() > 0:
            self.kept = torch.zeros(n)
        return x if self.kept is None else x + self.kept
    """,
}


@pytest.mark.parametrize("body", OF_DATA.values(), ids=OF_DATA)
def test_what_depends_on_data_or_on_earlier_calls_is_state(body: str) -> None:
    assert codes(body)


FILLED_ANEW = {
    "left empty": (
        "[]",
        """
        self.kept.append(x)
        y = sum(self.kept)
        self.kept.clear()
        return y
        """,
    ),
    "given an empty list": (
        "[]",
        """
        self.kept.append(x)
        y = sum(self.kept)
        self.kept = []
        return y
        """,
    ),
    "cut to nothing": (
        "[]",
        """
        self.kept.append(x)
        y = sum(self.kept)
        del self.kept[:]
        return y
        """,
    ),
    "a list": (
        "[]",
        """
        self.kept.clear()
        self.kept.append(x)
        return sum(self.kept)
        """,
    ),
    "a dict": (
        "{}",
        """
        self.kept['a'] = x * 2
        return self.kept['a'] + 1
        """,
    ),
    "all items": (
        "{}",
        """
        self.kept['a'] = x * 2
        return sum(self.kept.values())
        """,
    ),
    "filled in a branch": (
        "{}",
        """
        if n > 3:
            self.kept['a'] = x * 2
        return self.kept['a']
        """,
    ),
}


@pytest.mark.parametrize(("first", "body"), FILLED_ANEW.values(), ids=FILLED_ANEW)
def test_a_container_that_is_filled_anew_is_no_state(first: str, body: str) -> None:
    assert codes(body, first) == []


READ_FIRST = {
    "left by an early return": (
        "[]",
        """
        self.kept.append(x)
        y = sum(self.kept)
        if n > 3:
            return y
        self.kept.clear()
        return y + 1
        """,
    ),
    "a list": (
        "[torch.ones(2)]",
        """
        self.kept.append(x)
        y = sum(self.kept)
        self.kept.clear()
        return y
        """,
    ),
    "an item": (
        "{'a': 0}",
        """
        y = self.kept['a']
        self.kept['a'] = x * 2
        return y
        """,
    ),
    "all items": (
        "{'b': 0}",
        """
        y = sum(self.kept.values())
        self.kept['b'] = x * 2
        return y
        """,
    ),
    "filled in a branch": (
        "{}",
        """
        if self.length == 0:
            self.kept['a'] = x * 2
        self.length = n
        return self.kept['a']
        """,
    ),
    "added to an item": (
        "{'a': 0}",
        """
        self.kept['a'] += x
        return self.kept['a']
        """,
    ),
}


@pytest.mark.parametrize(("first", "body"), READ_FIRST.values(), ids=READ_FIRST)
def test_a_container_that_is_read_first_is_state(first: str, body: str) -> None:
    assert "EDB402" in codes(body, first)


def test_what_a_file_reads_of_it_is_asked_again_after_an_edit() -> None:
    body = """
        if self.kept is None or self.kept.shape != x.shape:
            self.kept = torch.rand_like(x)
        return x + self.kept{part}
    """
    project, found = Project(), list[list[str]]()
    for part in (".size(-1)", "", ".size(-1)"):
        project.set_text("/net.py", fill(NET, first="None", body=body.replace("{part}", part)))
        found.append([finding.code for finding in engine.check(project, "/net.py", engine.Settings()).findings])
    assert found == [[], ["EDB401"], []]


SET_BACK: dict[str, tuple[str, list[str]]] = {
    "at the end": (
        """
        self.length += 1
        y = x * self.length
        self.length = 0
        return y
        """,
        [],
    ),
    "not in every call": (
        """
        self.length += 1
        y = x * self.length
        if x.dtype == torch.float64:
            return y
        self.length = 0
        return y
        """,
        ["EDB401", "EDB401"],
    ),
    "where an option wants it": (
        """
        self.length += 1
        y = x * self.length
        if self.scale > 2.0:
            self.length = 0
        return y
        """,
        ["EDB401"],
    ),
    "to another number": (
        """
        self.length += 1
        y = x * self.length
        self.length = 5
        return y
        """,
        ["EDB401", "EDB401"],
    ),
}


@pytest.mark.parametrize(("body", "expected"), SET_BACK.values(), ids=SET_BACK)
def test_what_every_call_sets_back_is_no_state(body: str, expected: list[str]) -> None:
    assert codes(body) == expected


def test_what_another_method_writes_as_well_is_state() -> None:
    text = fill(NET, first="None", body=SET_BACK["at the end"][0]) + "\n    def again(self):\n        self.length = 5\n"
    project = Project()
    project.set_text("/net.py", text)
    report = engine.check(project, "/net.py", engine.Settings())
    assert [finding.code for finding in report.findings] == ["EDB401", "EDB401"]
