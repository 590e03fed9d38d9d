"""The comment that carries example inputs: `# exportdb: args=(torch.randn(2, 3),) dynamic_shapes={…}`."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from dataclasses import dataclass
from itertools import pairwise

KEYS = ("args", "kwargs", "dynamic_shapes", "constructor")


class CommentError(ValueError):
    """A comment that wants to be example inputs and is none. `row` counts from 1 within the file."""

    def __init__(self, message: str, row: int) -> None:
        super().__init__(message)
        self.row = row


@dataclass(frozen=True)
class InputComment:
    """The fields of one comment, as source text, and the row on which it starts."""

    fields: dict[str, str]
    row: int

    def place(self, key: str, lines: list[str]) -> tuple[int, int] | None:
        """The row of a field's text in the file, and its column there, from 0 and in bytes, as `ast` counts it; None of a text
        that goes over several rows."""
        text = self.fields.get(key, "")
        for row in range(self.row, len(lines) + 1):
            line = lines[row - 1]
            if not line.lstrip().startswith("#"):
                break
            found = re.search(rf"\b{key}\s*=\s*{re.escape(text)}", line) if text else None
            if found is not None:
                return row, len(line[: found.end() - len(text)].encode())
        return None


def above(lines: list[str], row: int) -> InputComment | None:
    """The comment in the block that ends right above `row`.

    Raises:
        CommentError: there is one, and it cannot be read.
    """
    block: list[tuple[int, str]] = []
    number = row - 1
    while number >= 1 and lines[number - 1].lstrip().startswith("#"):
        block.insert(0, (number, lines[number - 1].lstrip()[1:].strip()))
        number -= 1
    start = next((i for i, (_, text) in enumerate(block) if _begins(text)), None)
    if start is None:
        return None
    first = block[start][0]
    text = "\n".join(part for _, part in block[start:])
    return InputComment(parse(text.split(":", 1)[1], first), first)


def _begins(text: str) -> bool:
    head, colon, rest = text.partition(":")
    return head.strip() == "exportdb" and bool(colon) and any(rest.strip().startswith(key) for key in KEYS)


def parse(text: str, row: int) -> dict[str, str]:
    """`key=expression` pairs, parted by spaces or commas, over one line or several.

    Raises:
        CommentError: something that is no such pair, an expression with a syntax error, a field given twice.
    """
    # In brackets a line break means nothing to the tokenizer.
    source = "(" + text + "\n)"
    lines = source.splitlines(keepends=True)
    starts = [sum(len(line) for line in lines[:i]) for i in range(len(lines) + 1)]
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError) as error:
        raise CommentError(f"incomplete example inputs: {error.args[0]}", row) from error
    fields: list[tuple[str, int, int]] = []
    depth = 0
    for token, following in pairwise(tokens):
        if token.type == tokenize.OP and token.string in "([{":
            depth += 1
        elif token.type == tokenize.OP and token.string in ")]}":
            depth -= 1
        at_name = token.type == tokenize.NAME and following.string == "=" and depth == 1
        if at_name and token.string in KEYS:
            offset = starts[token.start[0] - 1] + token.start[1]
            fields.append((token.string, offset, starts[following.end[0] - 1] + following.end[1]))
        elif at_name:
            raise CommentError(
                f"unknown field {token.string!r} in example inputs; valid fields: {', '.join(KEYS)}", row
            )
    ends = [field[1] for field in fields[1:]] + [len(source) - 1]
    result: dict[str, str] = {}
    for (key, _, begin), end in zip(fields, ends, strict=True):
        value = source[begin:end].strip().rstrip(",").strip()
        if key in result:
            raise CommentError(f"example inputs define {key} twice", row)
        try:
            ast.parse(value.replace("\n", " "), mode="eval")
        except SyntaxError as error:
            raise CommentError(f"{key}={value} is not an expression: {error.msg}", row) from error
        result[key] = " ".join(part.strip() for part in value.split("\n"))
    return result
