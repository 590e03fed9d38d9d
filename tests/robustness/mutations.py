"""Real files, and what a bad day makes of them: cut, lines swapped, re-indented, names replaced, rubbish between."""

from __future__ import annotations

import keyword
import random
import re
import sysconfig
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("torch", "torchvision")
# To run all methods of a longer file takes time and shows nothing new.
LONG = 40_000


def sources() -> list[Path]:
    """Every file of the standard library, of torch and of torchvision, mixed, in the same order each time."""
    folders = [Path(sysconfig.get_path("stdlib"))]
    for package in PACKAGES:
        spec = find_spec(package)
        assert spec is not None, f"{package} is not installed: make install"
        assert spec.origin is not None
        folders.append(Path(spec.origin).parent)
    found = [
        path
        for folder in folders
        for path in sorted(folder.rglob("*.py"))
        if "site-packages" not in path.relative_to(folder).parts and path.stat().st_size
    ]
    random.Random(0).shuffle(found)
    return found


def mutated(number: int, of: list[Path], chance: random.Random) -> tuple[Path, str]:
    """The text with this number: all files and all mutations have their turn, further mutations come by chance."""
    path = of[number % len(of)]
    text = path.read_text("utf-8", errors="replace")
    if chance.random() < 0.5 and len(text) < LONG:
        text = entry(text, chance)
    for mutation in (MUTATIONS[number % len(MUTATIONS)], *chance.choices(MUTATIONS, k=chance.randrange(3))):
        text = mutation(text, chance) or "x"
    return path, text


def cut(text: str, chance: random.Random) -> str:
    """One side of a random byte, which may stand in the middle of a character."""
    data = text.encode("utf-8", "surrogatepass")
    at = chance.randrange(len(data))
    return (data[:at] if chance.random() < 0.5 else data[at:]).decode("utf-8", "replace")


def drop(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text))
    return text[:at] + text[at + chance.randrange(1, 60) :]


def swap(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    for _ in range(chance.randrange(1, 6)):
        one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        lines[one], lines[other] = lines[other], lines[one]
    return "\n".join(lines)


def indent(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(lines))
        lines[at] = " " * chance.randrange(13) + lines[at].lstrip()
    return "\n".join(lines)


def rename(text: str, chance: random.Random) -> str:
    names = sorted({name for name in re.findall(r"[A-Za-z_]\w*", text) if not keyword.iskeyword(name)})
    if not names:
        return text
    new = chance.choice([*names, "self", "x", "torch", "forward", "super", "class", "é", "__class__"])
    return re.sub(rf"\b{chance.choice(names)}\b", new, text)


def entry(text: str, chance: random.Random) -> str:
    """Make methods of the file `forward` of a module, so that the interpreter runs them."""
    text = re.sub(r"^class (\w+)(\([^)]*\))?:", r"class \1(torch.nn.Module):", text, flags=re.MULTILINE)
    methods = re.findall(r"^    def (\w+)\(self", text, re.MULTILINE)
    return "import torch\n" + (
        text.replace(f"def {chance.choice(methods)}(self", "def forward(self", 1) if methods else text
    )


def noise(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text))
    return text[:at] + "".join(chance.choice("()[]{}:,.;'\"\\\n\t =+*@é🎉\x0c\x00\ud800") for _ in range(5)) + text[at:]


MUTATIONS = (cut, drop, swap, indent, rename, noise)
