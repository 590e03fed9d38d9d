"""The dimensions that the docstring and the comments of a function say that its parameters have.

People write it in many ways, and next to the name: `x: (B, N, C)`, `x (Tensor): input of shape (batch, seq_len, dim)`,
`:param x: tensor of size (batch, fields)`, `x : [bs x n_heads x d_k]`, `def forward(self, x):  # x: [B, C, H, W]`, or below it, as
docstrings in the style of NumPy have it. What leaves dimensions open (`(*, C)`, `(N, ..., C)`), or names several numbers of them, says
nothing.
"""

from __future__ import annotations

import ast
import re
from inspect import cleandoc
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

# `x`, `:param x`, `- x, y`, at the beginning of a line, and what follows it.
_ITEM: Final = re.compile(
    r"(?P<indent>\s*)(?:[-*•]\s+)?(?::param\s+(?:[\w.]+\s+(?=\w+\s*:))?)?[`*]*(?P<names>\w+(?:\s*,\s*\w+)*)[`*]*"
    r"(?=\s*(?:[:=(\[]|->|$)|(?:\.|\s+)(?:shape|size|is|has|should|with|of)\b)(?P<rest>.*)"
)
_BRACKETS: Final = re.compile(r"[(\[{]([^()\[\]\"<>=]+)[)\]}]")
_CROSSED: Final = re.compile(r"(?<![\w(\[])\w+(?:\s+[x×]\s+\w+)+|(?<!\w)[A-Z](?:x[A-Z0-9])+(?!\w)")
# What stands right before sizes.
_SAID: Final = re.compile(
    r"(?:shape|size|dim|dimension)s?(?:\s+(?:of|is|as|be))?[^\w]*(?:math:[^\w]*)?$", re.IGNORECASE
)
# Nothing but the type stands between the name and the sizes.
_AT_ONCE: Final = re.compile(r"[^\w]*(?:\([^()]*\)|\S*tensor)?[^\w]*(?:math:[^\w]*)?$", re.IGNORECASE)
# So many characters before sizes are looked at.
_FAR: Final = 80
# The first of the sizes, if nothing says that these are any.
_BATCH: Final = re.compile(r"(?:b|n|bs|bsz|nt|t|batch\w*|num_\w+)$", re.IGNORECASE)
# What sizes are called.
_USUAL: Final = re.compile(
    r"-?\d+$|[A-Z][\w']{0,2}$|[bntdchwlsk]$|.*(?:batch|num|n_|len|dim|size|channel|height|width|feat|step|frame|token|time|seq|head|node)"
)
_SIZE: Final = re.compile(r"[-#]?[A-Za-z0-9_][\w\\{}^.+*/'# -]*$")
_NO_SIZES: Final = re.compile(
    r".*tensor|\b(?:optional|defaults?|none|true|false|int|float|bool|str|list|tuple|dict|if|or|and|e\.g|i\.e|torch)\b",
    re.IGNORECASE,
)
# Any number of dimensions.
_OPEN: Final = re.compile(r"\*|\\\*|\.\.\.|…|\\[lc]?dots|(?-i:\w*Dims)$|.*spatial\w*$|.*shape", re.IGNORECASE)
_HOLDERS: Final = re.compile(
    r"\b(?:list|tuple|sequence)s?\s+of\b|\bdict(?:ionary)?\b|\b(?:list|tuple|sequence|mapping)(?=\s*[\[,)]|\s*$)",
    re.IGNORECASE,
)
_SAME: Final = re.compile(r"\bsame (?:shape|size)s? (?:as|of)\W+(\w+)", re.IGNORECASE)
# `a 2-D tensor`
_COUNTED: Final = re.compile(r"\b([1-6])-?D (?:\w+ )?(?:tensor|array)", re.IGNORECASE)
_TIMES: Final = r"\s*×\s*|\s+x\s+|(?<=[A-Z0-9])x(?=[A-Z0-9])"
_COMMENT: Final = re.compile(r"""(?:[^'"#]|'[^']*'|"[^"]*")*#\s*(.*)""")


def documented_sizes(node: ast.AST, rows: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The parameters of a function whose dimensions are written beside it, with what each is called there; '' where nothing is.

    Args:
        rows: the lines of the file.
    """
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return {}
    names = {argument.arg for argument in _parameters(node)}
    found: dict[str, tuple[str, ...]] = {}
    alike: dict[str, str] = {}
    for text in (ast.get_docstring(node, clean=False) or "", "\n".join(_comments(node, rows))):
        for name, said in _items(cleandoc(text).split("\n"), names):
            sizes, same = sizes_in(said), _SAME.search(said)
            if sizes is not None:
                found.setdefault(name, sizes)
            elif same is not None:
                alike[name] = same[1]
    return found | {name: found[other] for name, other in alike.items() if name not in found and other in found}


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.arg]:
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]


def _comments(node: ast.FunctionDef | ast.AsyncFunctionDef, rows: Sequence[str]) -> Iterator[str]:
    """What is written behind the parameters, and before the first statement."""
    begin, body = node.lineno, node.body
    documented = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    inside = range(body[0].lineno, (body[0].end_lineno or 0) + 1) if documented else ()
    ends = [one.lineno for one in body[documented:]] or [body[-1].end_lineno or begin]
    behind: dict[int, list[str]] = {}
    for argument in _parameters(node):
        behind.setdefault(argument.end_lineno or 0, []).append(argument.arg)
    for row in range(begin, ends[0]):
        comment = None if row in inside else _COMMENT.match(rows[row - 1])
        if comment is not None:
            alone = behind.get(row, [])
            yield comment[1]
            if len(alone) == 1:
                yield f"{alone[0]}: {comment[1]}"


def _items(lines: list[str], names: Container[str]) -> Iterator[tuple[str, str]]:
    """What a text says of each of these names: the rest of the line that begins with it, and the lines that are indented below."""
    at: list[str] = []
    said: list[str] = []
    indent = 0
    for line in [*lines, ""]:
        item = _ITEM.match(line)
        if line.strip() and at and len(line) - len(line.lstrip()) > indent:
            said.append(line.strip())
            continue
        for name in at:
            yield name, " ".join(said)
        at, said = [], []
        if item is not None:
            indent = len(item["indent"])
            at = [name for name in re.split(r"\s*,\s*", item["names"]) if name in names]
            said = [item["rest"].strip()]


def sizes_in(said: str) -> tuple[str, ...] | None:
    """What a sentence about a tensor calls its dimensions; None where it names none, or several numbers of them."""
    if _HOLDERS.search(said.partition("shape")[0]):
        return None
    found: list[tuple[str, ...]] = [("",) * int(match[1]) for match in _COUNTED.finditer(said)]
    for match in (*_BRACKETS.finditer(said), *_CROSSED.finditer(said)):
        inner = (match[1] if match.re is _BRACKETS else match[0]).strip("`$ ")
        listed = "," in inner
        sizes = [size.strip() for size in re.split(r"," if listed else _TIMES, inner)]
        if not sizes[-1]:
            sizes.pop()
        before = said[max(0, match.start() - _FAR) : match.start()]
        told = _SAID.search(before) is not None
        at_once = match.start() <= _FAR and _AT_ONCE.match(before) is not None
        if _are_sizes(sizes, told=told, at_once=at_once, several=listed):
            if any(map(_OPEN.match, sizes)):
                return None
            found.append(tuple(sizes))
    return found[0] if found and len({*map(len, found)}) == 1 else None


def _are_sizes(sizes: list[str], *, told: bool, at_once: bool, several: bool) -> bool:
    """Whether a list is one of sizes.

    Args:
        told: what stands before it says so.
        at_once: nothing stands before it.
        several: it is a list, also where it has one part only: `(N,)`.
    """
    plain = [size for size in sizes if not _OPEN.match(size)]
    if not sizes or (len(sizes) == 1 and not (told or several)) or not re.search("[A-Za-z]", "".join(plain)):
        return False
    if any(not _SIZE.match(size) or len(size.split()) > 4 or _NO_SIZES.match(size) for size in plain):
        return False
    return told or bool(_BATCH.match(sizes[0])) or (at_once and any(map(_USUAL.match, plain)))
