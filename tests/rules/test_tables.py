"""Long tables that are parsed when they are looked at: the same trees as those of the whole text."""

from __future__ import annotations

import ast

import pytest
from exportdb_rules.bodies import outline
from exportdb_rules.source import parse

ROWS = "".join(f'    ("name{i}", ["Class{i}", "Other{i}"]),  # comment {i}\n' for i in range(20))
ITEMS = "".join(f'    "name{i}": ("Class{i}", {i}),\n' for i in range(20))
DEFERRED = {
    "a dict": f"NAMES = {{\n{ITEMS}}}\n",
    "a list with a comment": f"NAMES = [  # names\n{ROWS}]  # all\n",
    "a call": f"NAMES = OrderedDict(\n{ROWS})\n",
    "a list in a call": f"NAMES = collections.OrderedDict([\n{ROWS}])\n",
    "a dict in a call": f"NAMES = frozen({{\n{ITEMS}}})\n",
    "an annotated dict": f"NAMES: dict[str, tuple[str, int]] = {{\n{ITEMS}}}\n",
    "keywords": "NAMES = dict(\n" + "".join(f"    name{i}='Class {i}',\n" for i in range(40)) + ")\n",
    "another dict's items first": f"NAMES = {{\n    **OTHERS,\n{ITEMS}}}\n",
}
WHOLE = {
    "a set": "NAMES = {\n" + "".join(f'    "Some Class{i}",\n' for i in range(40)) + "}\n",
    "a comprehension": f"NAMES = [\n    name\n    for name in (\n{ROWS}    )\n]\n",
    "two lists": f"NAMES = f([\n{ROWS}], [\n{ROWS}])\n",
    "a sum": f"NAMES = [\n{ROWS}] + [\n{ROWS}]\n",
    "what is public": "__all__ = [\n" + "".join(f'    "Class{i}",\n' for i in range(60)) + "]\n",
    "no name": f"NAMES.all = [\n{ROWS}]\n",
    "a block": f"if True:\n    NAMES = [\n{ROWS}    ]\n",
    "deep brackets": f"NAMES = [\n    [[[0]]],\n{ROWS}]\n",
    "a string over several rows": f'NAMES = [\n{ROWS}    """\n    ]\n""",\n]\n',
}


def dumped(body: list[ast.stmt]) -> str:
    return ast.dump(ast.Module(body, []), include_attributes=True)


def text_of(table: str) -> str:
    return f"import x\n\n{table}\n\ndef f():\n    return {list(range(80))}\n\n\n{table.replace('NAMES', 'MORE')}"


@pytest.mark.parametrize("name", DEFERRED)
def test_table_is_deferred(name: str) -> None:
    text = text_of(DEFERRED[name])
    found = outline(text)
    assert found is not None
    body, source = found
    assert len(source.tables) == 2
    assert all(table.unread for table in source.tables)
    assert dumped(body) == dumped(parse(text).body)  # which looks at all of them
    assert not any(table.unread for table in source.tables)


@pytest.mark.parametrize("name", WHOLE)
def test_other_values_are_not(name: str) -> None:
    text = text_of(WHOLE[name])
    found = outline(text)
    assert found is not None
    body, source = found
    assert not source.tables
    assert dumped(body) == dumped(parse(text).body)


def test_the_fields_of_a_dict_are_read_together() -> None:
    found = outline(DEFERRED["a dict"])
    assert found is not None
    value = found[0][0].value  # type: ignore[attr-defined]
    pairs = list(zip(value.keys, value.values, strict=True))
    assert [key.value for key, _ in pairs] == [f"name{i}" for i in range(20)]
    assert type(value.keys) is list
    assert type(value.values) is list


def test_what_is_left_is_parsed_with_the_file() -> None:
    text = text_of(DEFERRED["a list in a call"])
    found = outline(text)
    assert found is not None
    body, source = found
    assert source.finish() is None
    assert not any(table.unread for table in source.tables)
    assert dumped(body) == dumped(parse(text).body)


def test_a_table_that_is_no_python_is_mended() -> None:
    text = text_of(f"NAMES = [\n{ROWS}    1 2,\n]\n")
    found = outline(text)
    assert found is not None
    body, source = found
    tree = source.finish()
    assert tree is not None
    assert tree.problem is not None
    assert dumped(body[2:3]) == dumped(parse(text).body[2:3])  # what stands beside it


def test_a_table_that_nobody_needs_is_taken_apart() -> None:
    found = outline(DEFERRED["a dict"])
    assert found is not None
    body, source = found
    source.dissolve()
    assert body[0].value.keys == body[0].value.values == []  # type: ignore[attr-defined]
