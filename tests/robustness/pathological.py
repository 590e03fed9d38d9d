"""Sources that are small and made to cost much: what grows twofold with every line where anything is done twice.

Each is a whole program with one module. `sources` gives them with a name; what they hold is drawn from a seed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Final

HEAD: Final = "import functools\nimport torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x, y):\n"


def _method(*lines: str) -> str:
    """A program whose forward has these lines, indented from its own level."""
    return HEAD + "".join(f"        {line}\n" for line in lines)


def doubled(chance: random.Random) -> str:
    """Values that hold themselves, made in branches that are joined."""
    forms = (
        "({0}, {0})",
        "[{0}, x]",
        "({0}, x, {0})",
        "{{'a': {0}, 'b': {0}}}",
        "[{0}] * 3",
        "[*{0}, {0}]",
        "[{0}] + [{0}]",
    )
    lines = ["v = x"]
    for _ in range(chance.randint(12, 40)):
        first, second = chance.sample(forms, 2)
        lines += ["if y:", f"    v = {first.format('v')}", "else:", f"    v = {second.format('v')}"]
    return _method(*lines, "return v")


def grown(chance: random.Random) -> str:
    """Containers that are changed after they were put into each other."""
    ways = (
        "a.append(b)",
        "b.append(a)",
        "a.append(a)",
        "d['k'] = (a, d)",
        "a[0] = d",
        "b = [a, b, d]",
        "d = {'k': b, **d}",
        "b.extend(a)",
    )
    lines = ["a, b, d = [x], [], {}"]
    for _ in range(chance.randint(20, 60)):
        lines += (
            [f"if y > {chance.randint(0, 9)}:", f"    {chance.choice(ways)}"]
            if chance.random() < 0.6
            else [chance.choice(ways)]
        )
    return _method(*lines, "return a, b, d")


def objects(chance: random.Random) -> str:
    """Objects, calls that wait for arguments and methods that hold each other twice."""
    forms = (
        "Pair({0}, {0})",
        "functools.partial({0}, {0})",
        "functools.partial(torch.add, {0}, {0})",
        "[{0}, {0}].append",
        "Pair({0}, x)",
    )
    lines = ["v = x"]
    for _ in range(chance.randint(12, 40)):
        if chance.random() < 0.3:
            lines += ["if y:", f"    v = {chance.choice(forms).format('v')}"]
        else:
            lines.append(f"v = {chance.choice(forms).format('v')}")
    pair = "class Pair:\n    def __init__(self, a, b):\n        self.a = a\n        self.b = b\n\n\n"
    return _method(*lines, "return v").replace("class Net", pair + "class Net", 1)


def nested(chance: random.Random) -> str:
    """Blocks in blocks, each with a condition on data."""
    kinds = chance.choice((("if",), ("while",), ("for",), ("if", "while", "for", "with", "try")))
    deep = chance.randint(8, 18) if kinds != ("if",) else chance.randint(20, 60)
    lines: list[str] = []
    ends: list[str] = []
    for level in range(deep):
        kind = chance.choice(kinds)
        pad = "    " * level
        lines.append(pad + {
            "if": f"if x.sum() > {level}:", "while": f"while x.sum() > {level}:", "for": f"for i{level} in range(y.item()):",
            "with": "with torch.no_grad():", "try": "try:",
        }[kind])  # fmt: skip
        if kind == "try":
            ends.append(f"{pad}except ValueError:\n        {pad}    x = x - {level}")
        elif kind in ("if", "while", "for") and chance.random() < 0.5:
            ends.append(f"{pad}else:\n        {pad}    x = x - {level}")
    return _method(*lines, "    " * deep + "x = x + 1", *reversed(ends), "return x")


def chained(chance: random.Random) -> str:
    """Rows of branches, and branches that end in further ones."""
    kind = chance.choice(("if", "elif", "else", "ternary"))
    many = chance.randint(30, 100)
    if kind == "if":
        return _method(*[line for i in range(many) for line in (f"if x.sum() > {i}:", f"    x = x + {i}")], "return x")
    if kind == "ternary":
        return _method("return " + "".join(f"x + {i} if x.sum() > {i} else " for i in range(many)) + "x")
    if kind == "else":
        many = min(many, 40)
        lines = [
            line
            for i in range(many)
            for line in ("    " * i + f"if x.sum() > {i}:", "    " * i + f"    x = x + {i}", "    " * i + "else:")
        ]
        return _method(*lines, "    " * many + "x = x - 1", "return x")
    return _method(
        *[line for i in range(many) for line in (f"{'el' if i else ''}if x.sum() > {i}:", f"    x = x + {i}")],
        "return x",
    )


def booleans(chance: random.Random) -> str:
    """Conditions of many parts."""

    def term(deep: int) -> str:
        if deep == 0:
            return f"x.sum() {chance.choice('<>')} {chance.randint(0, 99)}"
        kind = chance.choice((" and ", " or ", "not ", " if y else ", " & "))
        if kind == "not ":
            return f"(not {term(deep - 1)})"
        return f"(({term(deep - 1)}){kind}({term(deep - 1)}))"

    shape = chance.choice(("long", "tree", "chain"))
    if shape == "tree":
        test = term(chance.randint(4, 6))
    elif shape == "long":
        test = chance.choice((" and ", " or ")).join(f"x.sum() > {i}" for i in range(chance.randint(40, 120)))
    else:
        test = " < ".join(["x.sum()", *(f"x.mean() * {i}" for i in range(chance.randint(20, 60)))])
    return _method(
        f"{chance.choice(('if', 'while', 'assert'))} {test}:".replace("assert", "if not"), "    x = x + 1", "return x"
    )


def called(chance: random.Random) -> str:
    """Functions that call the next one more than once, or themselves, with values that differ."""
    many = chance.randint(10, 26)
    kind = chance.choice(("twice", "closure", "lambda", "recursive", "pairs"))
    if kind == "closure":
        lines = ["def f0(a):", "    return a + x"]
        for i in range(1, many):
            lines += [f"def f{i}(a):", f"    return f{i - 1}(a) + f{i - 1}(a + {i})"]
        return _method(*lines, f"return f{many - 1}(x)")
    if kind == "lambda":
        return _method("f = lambda a: a", *[f"f = lambda a, f=f: f(f(a + {i}))" for i in range(many)], "return f(x)")
    if kind == "recursive":
        text = "def f(a, n, m):\n    if a.sum() > n:\n        return f((a, a)[0], n + 1, m) + f(a, n, (m, m))\n    return f(a * 2, n, [m])\n\n\n"
        return _method("return f(x, 0, y)").replace("class Net", text + "class Net", 1)
    give = {"twice": "f{0}(a, n) + f{0}(a, n + {1})", "pairs": "f{0}((a, a), n) + f{0}([a, n], n)"}[kind]
    text = "def f0(a, n):\n    return x\n\n\n".replace("return x", "return a")
    text += "".join(f"def f{i}(a, n):\n    return {give.format(i - 1, i)}\n\n\n" for i in range(1, many))
    return _method(f"return f{many - 1}(x, 1)").replace("class Net", text + "class Net", 1)


def expressions(chance: random.Random) -> str:
    """Long rows of operations, deep calls, and literals in literals."""
    kind = chance.choice(("sum", "calls", "attributes", "literal", "comprehension", "lines", "walrus"))
    many = chance.randint(30, 80)
    if kind == "sum":
        return _method("return " + " + ".join(["x"] * many * 5))
    if kind == "calls":
        return _method("return " + "torch.relu(" * many + "x" + ")" * many)
    if kind == "attributes":
        return _method("return x" + ".relu()" * many + ".numpy()")
    if kind == "literal":
        deep = min(many, 50)
        return _method("v = " + "(" * deep + "x," + "),x," * (deep - 1) + ")", "return v")
    if kind == "comprehension":
        deep = min(many, 8)
        return _method(
            "v = " + "[" * deep + "x.sum().item()" + "".join(f" for i{i} in x]" for i in range(deep)), "return v"
        )
    if kind == "walrus":
        return _method(
            "v = x",
            *[
                f"if (v := v + {i}).sum() > {i} and (x := x * v).any():\n            v = (v := v * 2)"
                for i in range(many)
            ],
            "return v",
        )
    return _method(*["x = x / 2", "x = x.mean(0)", "n = x.numpy()", "x = x + n.sum()"] * many, "return x")


KINDS: Final[tuple[Callable[[random.Random], str], ...]] = (
    doubled, grown, objects, nested, chained, booleans, called, expressions,
)  # fmt: skip


def sources(number: int, seed: int = 0) -> Iterator[tuple[str, str]]:
    """So many programs, of each kind as many, with their names."""
    for count in range(number):
        kind = KINDS[count % len(KINDS)]
        yield f"{kind.__name__}-{count}", kind(random.Random(f"{seed}/{count}"))
