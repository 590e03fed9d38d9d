"""A module whose statements are parsed one by one is the module that libcst parses as a whole."""

from __future__ import annotations

from pathlib import Path

import libcst as cst
import pytest
from exportdb_rules.rewrite import parts
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import parse
from exportdb_rules.rewrite.written import written

LAYOUT = '''#!/usr/bin/env python
# above

"""Docstring."""

import torch; import math  # two in a row

# above the class
@decorated
# between
class Net(torch.nn.Module):
    """Not
  indented."""

    def forward(self, x):
        return x
        # at the end of the method

    # at the end of the class


    # and once more
# above the function


async def function(
    x,
): return x

x = """
# no comment
"""; y = 1
if x: pass
else:
    # nothing
    pass
# the end

'''
FOLDER = Path(parts.__file__).parent
FILES = sorted(FOLDER.glob("*.py"))


@pytest.mark.parametrize(
    "text", [LAYOUT, *(path.read_text() for path in FILES)], ids=["layout", *(path.name for path in FILES)]
)
def test_parts_make_the_whole(text: str) -> None:
    module = parts.parse_in_parts(text)
    assert module is not None
    whole = cst.parse_module(text)
    _, places = written(whole)
    assert len(module.body) == len(whole.body)
    body = parts.parts(module)
    for part, one, other in zip(body.all, module.body, whole.body, strict=True):
        assert one.deep_equals(other)
        assert part.row == places[id(other)][0]
        mine: list[cst.CSTNode] = [one]
        theirs: list[cst.CSTNode] = [other]
        while mine:
            here, there = mine.pop(), theirs.pop()
            assert body.places.get(id(here)) == places.get(id(there))
            mine += here.children
            theirs += there.children
    assert module.code == text
    assert [line.deep_equals(other) for line, other in zip(module.header, whole.header, strict=True)].count(False) == 0
    assert [line.deep_equals(other) for line, other in zip(module.footer, whole.footer, strict=True)].count(False) == 0


@pytest.mark.parametrize(
    "text",
    ["x = 1", "x = 1\r\ny = 2\r\n", "class A:\n  x = 1\nclass B:\n    y = 1\n", "# nothing\n", "x = 1\f\n"],
    ids=["no line end", "windows", "indented in two ways", "empty", "form feed"],
)
def test_a_text_that_is_parsed_as_a_whole(text: str) -> None:
    assert parts.parse_in_parts(text) is None
    tree = parse(text)
    assert tree is not None
    assert tree.module.code == text
    assert [part.row for part in parts.parts(tree.module).all] == [
        place[0] for statement in tree.module.body if (place := tree.place(statement))
    ]


def test_only_what_is_asked_for_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    real = cst.parse_module

    def counted(text: str) -> cst.Module:
        asked.append(text)
        return real(text)

    monkeypatch.setattr(cst, "parse_module", counted)
    module = parts.parse_in_parts("class A:\n    x = 1\n\n\nclass B(A):\n    y = C()\n\n\nclass D(B):\n    pass\n")
    assert module is not None
    asked.clear()
    body = parts.parts(module)
    assert [part.name for part in body.all] == ["A", "B", "D"]
    assert not asked
    assert parts.Named(body, cst.ClassDef)["B"] is module.body[1]
    assert len(asked) == 1


def test_a_statement_that_libcst_does_not_read_refuses_alone() -> None:
    module = parts.parse_in_parts("x = 1\ny = 1 \\\n\n# z\nz = 2\n")
    assert module is not None
    assert isinstance(module.body[0], cst.SimpleStatementLine)
    with pytest.raises(FixNotApplicable):
        module.body[1]
