"""A line that a fix makes too long is broken at its brackets, and nothing else of it changes."""

from __future__ import annotations

import pytest
from exportdb_rules.finding import Edit, Position, Span
from exportdb_rules.rewrite.edits import apply
from exportdb_rules.rewrite.layout import fitting_lines

LONG = "a_tensor_of_a_name"


def written(code: str, text: str = "def f():\n    pass\n", end: str = "\n") -> str:
    """The text with `pass` replaced by code."""
    text = text.replace("\n", end)
    row = next(i for i, line in enumerate(text.splitlines(), 1) if "pass" in line)
    column = text.splitlines()[row - 1].index("pass") + 1
    edits = (Edit(Span(Position(row, column), Position(row, column + 4)), code),)
    return apply(text, fitting_lines(text, edits))


@pytest.mark.parametrize(
    ("code", "broken"),
    [
        ("return torch.where(x > 0, x, -x)", "    return torch.where(x > 0, x, -x)\n"),
        (
            f"return torch.where({LONG} > 0, {LONG}.sum(), {LONG}.mean())",
            f"    return torch.where(\n        {LONG} > 0, {LONG}.sum(), {LONG}.mean()\n    )\n",
        ),
        (
            f"y = torch.cond({LONG}.sum() > 0, lambda x, y: x + y, lambda x, y: x - y, ({LONG}, {LONG}))",
            f"    y = torch.cond(\n        {LONG}.sum() > 0,\n        lambda x, y: x + y,\n        lambda x, y: x - y,\n"
            f"        ({LONG}, {LONG}),\n    )\n",
        ),
        (
            f"z = sum({LONG}.where({LONG} > k, 0.0).sum() * w[i] for i, k in enumerate({LONG}))",
            f"    z = sum(\n        {LONG}.where({LONG} > k, 0.0).sum() * w[i]\n"
            f"        for i, k in enumerate({LONG})\n    )\n",
        ),
        # What cannot be broken, and what has a comment, stays as it is.
        (f"y = {' + '.join([LONG] * 5)}", f"    y = {' + '.join([LONG] * 5)}\n"),
        (f"y = f({LONG}, {LONG}, {LONG}, {LONG})  # all", f"    y = f({LONG}, {LONG}, {LONG}, {LONG})  # all\n"),
    ],
)
def test_a_long_line_is_broken_at_its_brackets(code: str, broken: str) -> None:
    assert written(code) == f"def f():\n{broken}"
    assert written(code, end="\r\n") == f"def f():\n{broken}".replace("\n", "\r\n")


def test_lines_may_be_as_long_as_the_others_of_the_file() -> None:
    code = f"return torch.where({LONG} > 0, {LONG}.sum(), {LONG}.mean())"
    assert code in written(code, f"def f():\n    pass\n# {'-' * 100}\n")


def test_a_line_of_a_string_stays_as_it_is() -> None:
    text = 'def f():\n    x = """\n    pass\n    """\n'
    code = f"f({LONG}, {LONG}, {LONG}, {LONG}, {LONG})"
    assert code in written(code, text)
