"""What a fix does to the few statements that it touches is what it would do to the whole text."""

from __future__ import annotations

import ast
import random

import libcst as cst
import pytest
from exportdb_rules.finding import Edit, Position, Span
from exportdb_rules.rewrite.edits import apply
from exportdb_rules.rewrite.outline import rewritten, still_parses
from exportdb_rules.rewrite.tree import below, parse, replace_all
from exportdb_rules.rewrite.written import written
from libcst.metadata import MetadataWrapper, PositionProvider

TEXT = '''#!/usr/bin/env python
# what stands above
"""The docstring."""
import torch; from torch import nn


# above the class
@decorated(
    1,
)
class Net(nn.Module):
    """Two
    lines."""

    # above the constructor
    def __init__(self, a=1):
        super().__init__()
        # above a

        self.a = a  # behind a

        # at the end of the constructor

    @torch.no_grad()
    # between decorator and method
    def forward(self, x):
        if x.sum() > 0: y = x
        else:
            y = (
                x + 1  # inside
            )

        def inner(z):
         return z
        return inner(y)

    other = 1
    # at the end of the class


if __name__ == "__main__":
    model = Net()
    model(1)
# the end
'''


TEXTS = {"unix": TEXT, "windows": TEXT.replace("\n", "\r\n"), "open": TEXT.rstrip()}


@pytest.mark.parametrize("text", [*TEXTS.values(), "x = 1", "\n\n# nothing\n", ""], ids=range(6))
def test_places_are_those_that_libcst_gives(text: str) -> None:
    module = cst.parse_module(text)
    code, places = written(module)
    known = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    assert code == text
    assert places == {id(n): (p.start.line, p.start.column, p.end.line, p.end.column) for n, p in known.items()}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_what_is_replaced_is_replaced_as_in_the_whole_module(text: str) -> None:
    tree = parse(text)
    assert tree is not None
    swaps: list[list[tuple[cst.CSTNode, object]]] = [
        *([(name, cst.Name("renamed"))] for name in below(tree.module, cst.Name)),
        *([(line, cst.RemoveFromParent())] for line in below(tree.module, cst.SimpleStatementLine)),
        *(
            [(line, cst.FlattenSentinel([line, cst.parse_statement("added = 1\n")]))]
            for line in below(tree.module, cst.SimpleStatementLine)
        ),
        *(
            [(block, block.with_changes(body=[*block.body, cst.parse_statement("pass")]))]
            for block in below(tree.module, cst.IndentedBlock)
        ),
        *([(function, cst.RemoveFromParent())] for function in below(tree.module, cst.FunctionDef)),
        [(tree.module, tree.module.with_changes(body=tree.module.body[:2]))],
    ]
    lines = list(below(tree.module, cst.SimpleStatementLine))
    swaps += [
        [(one, cst.RemoveFromParent()), (other, cst.parse_statement("b = 1\n"))] for one in lines for other in lines
    ]
    for swap in swaps:
        assert apply(text, rewritten(tree, swap)) == replace_all(tree.module, swap).code


def test_edits_break_a_text_where_they_break_a_part_of_it() -> None:
    rows = TEXT.split("\n")
    contents = (
        "",
        "pass",
        "\n",
        "    ",
        "y = 1\n",
        "    def g(self): return 1\n",
        "(",
        ")",
        "'''",
        "if x:\n",
        "\\",
        "# c",
    )
    chosen = random.Random(0)
    broken = 0
    for _ in range(1500):
        edits: list[Edit] = []
        row = 1
        for _ in range(chosen.choice((1, 1, 2))):
            if row > len(rows):
                break
            row = chosen.randint(row, len(rows))
            start = Position(row, chosen.randint(1, len(rows[row - 1]) + 1))
            row = min(len(rows), row + chosen.choice((0, 0, 1, 3)))
            end = Position(row, chosen.randint(1, len(rows[row - 1]) + 1))
            row += 1
            if start <= end:
                edits.append(Edit(Span(start, end), chosen.choice(contents)))
        expected = _is_python(apply(TEXT, edits))
        broken += not expected
        assert still_parses(TEXT, edits) is expected, edits
    assert 100 < broken < 1400


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True
