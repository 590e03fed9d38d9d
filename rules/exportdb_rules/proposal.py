"""The widest `dynamic_shapes` that an entry holds for, as far as its code says: which dimension of its example can be
dynamic, in what range and relation to the others, and which line specializes each of those that cannot.

Every dimension of the example is given a Dim of its own, the entry is traced, and what the guards demand of these Dims
(`exportdb_rules.terms.Demand`) is written into the declaration, until nothing is demanded any more: a number makes a
dimension static, an equality makes two Dims one, a multiple makes a Dim a derived one, a bound narrows its range. What no
named Dim can say is left to `Dim.AUTO`.
"""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Final

from exportdb_rules import verdict_table
from exportdb_rules.definitions import parameters_of
from exportdb_rules.dynamic_shapes import Dimension, Dimensions, place_of
from exportdb_rules.engine import new_run
from exportdb_rules.entry_points import entries_of, given_for, run_entry
from exportdb_rules.facts import BoundHit, SizeDemanded, TruthTested
from exportdb_rules.finding import Mode, Verdict
from exportdb_rules.inputs import Given
from exportdb_rules.interpreter.machine import reached
from exportdb_rules.lattice import Mapping, Sequence
from exportdb_rules.rule import Context, by_fact
from exportdb_rules.terms import LEAST, NEGATED, Demand, Term, compared, solved
from exportdb_rules.values import Static, Sym, Tensor, Value
from exportdb_rules.wording import source_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from exportdb_rules.dynamic_shapes import Path
    from exportdb_rules.entry_points import EntryPoint
    from exportdb_rules.facts import Fact
    from exportdb_rules.project import Module, Project
    from exportdb_rules.report import Settings
    from exportdb_rules.rule import Violation
    from exportdb_rules.values import Site

# Each round writes at least one demand into the declaration; a model with more dimensions than this has some left over.
MAX_ROUNDS: Final = 60
AUTO: Final = "Dim.AUTO"
_HOLDS: Final[dict[str, Callable[[int, int], bool]]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reason:
    """A line that narrows a dimension: where it stands, its expression, and what it does. Of a size of the example itself
    `row` is 0."""

    message: str
    filename: str = ""
    row: int = 0
    column: int = 0
    code: str = ""


@dataclass(frozen=True, slots=True)
class Axis:
    """One dimension of the example: `input` is the tensor as the program calls it, `size` what it is in the example.

    `dimension` is what to declare: a Dim, `2 * rows + 1`, `Dim.AUTO`, or None for a static one. `low` and `high` are the
    range of its sizes, for a named Dim and what derives from one; `declared` is the name that the file itself gives it.
    """

    input: str
    index: int
    size: int
    dimension: str | None
    low: int | None = None
    high: int | None = None
    reasons: tuple[Reason, ...] = ()
    declared: str | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """What to declare for an entry. `dims` are the Dims with their ranges, `shapes` the value of `dynamic_shapes` for each
    parameter, as code; `notes` say what was not known."""

    entry: str
    target: str
    filename: str
    axes: tuple[Axis, ...]
    dims: tuple[tuple[str, int | None, int | None], ...]
    shapes: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()

    @property
    def dynamic_shapes(self) -> str:
        """The value of `dynamic_shapes`, on one line."""
        return "{" + ", ".join([f'"{name}": {code}' for name, code in self.shapes]) + "}"


def proposals(project: Project, filename: str, settings: Settings, name: str = "") -> list[Proposal]:
    """What to declare for the entries of a file whose example inputs are known, or for the one of a name: a class, or a
    function that is exported.

    Raises:
        OSError, SyntaxError, ValueError: the file cannot be read.
    """
    project.look_in(settings.packages)
    module = project.whole(filename) or project.load(filename)
    if module.problem is not None:
        raise SyntaxError(f"{module.problem.message}, line {module.problem.position.row}")
    run = new_run(project, settings)
    found: list[Proposal] = []
    for entry in sorted(entries_of(run, module), key=lambda entry: entry.function.node.lineno):
        target = entry.class_name or entry.name
        if (name and name not in (target, entry.name)) or (entry.cls is not None and entry.function.name != "forward"):
            continue
        given = next((one for one in given_for(run, entry) if any(_tensors(one.values))), None)
        if given is not None:
            found.append(_Search(project, module, entry, given, settings).proposal(target))
    return found


def _tensors(values: dict[str, Value]) -> Iterator[tuple[Path, Tensor]]:
    """The tensors of an example, each with its place."""
    waiting: list[tuple[Path, Value]] = [((name,), value) for name, value in values.items()]
    while waiting:
        path, value = waiting.pop(0)
        if type(value) is Tensor:
            yield path, value
        elif isinstance(value, Sequence) and value.items is not None:
            waiting = [((*path, index), part) for index, part in enumerate(value.items)] + waiting
        elif isinstance(value, Mapping) and value.element is None:
            waiting = [
                ((*path, key), part) for key, part in value.items.items() if isinstance(key, (str, int))
            ] + waiting


@dataclass
class _Declared:
    """What is declared of one dimension at the moment: `factor * root + rest`, or `Dim.AUTO`, or nothing (static)."""

    path: Path
    index: int
    size: int
    root: str
    factor: int = 1
    rest: int = 0
    auto: bool = False
    reasons: list[Reason] = field(default_factory=list[Reason])

    @property
    def place(self) -> str:
        """What a guard calls it where it has no name."""
        return f"{place_of(self.path)}.shape[{self.index}]"

    @property
    def name(self) -> str:
        """What a guard calls it."""
        return self.place if self.auto else self.root

    def term(self, named: str) -> str:
        """What is declared, with a name for the root."""
        return str(Term.dimension(named) * Term.number(self.factor) + Term.number(self.rest))


class _Search:
    """Traces an entry under declarations that are narrowed until nothing more is demanded."""

    def __init__(self, project: Project, module: Module, entry: EntryPoint, given: Given, settings: Settings) -> None:
        self._project, self._module, self._entry, self._given, self._settings = project, module, entry, given, settings
        self._notes: dict[str, None] = {}
        self._declared: list[_Declared] = []
        self._ranges: dict[str, tuple[int, int | None]] = {}
        self._numbers = count()
        for path, tensor in _tensors(given.values):
            if tensor.dims is None:
                self._notes[f"the sizes of {place_of(path)} in the example are not known: it is left static"] = None
            for index, size in enumerate(tensor.dims or ()):
                known = size.number if type(size) is Static else None
                if known is None:
                    self._notes[f"{place_of(path)}.shape[{index}] of the example is not known: it is left static"] = (
                        None
                    )
                    continue
                one = _Declared(path, index, known, self._root() if known >= LEAST else "")
                if known < LEAST:
                    one.reasons.append(Reason(f"{known} in the example, and export specializes 0 and 1"))
                self._declared.append(one)

    def proposal(self, target: str) -> Proposal:
        """What is left of the declarations."""
        for _ in range(MAX_ROUNDS):
            if not self._narrow():
                break
        else:
            self._notes["not all guards were followed: an export may narrow these dimensions further"] = None
        names = self._names()
        axes: list[Axis] = []
        said = self._given.dimensions.declared if self._given.dimensions is not None else {}
        for one in self._declared:
            dimension = AUTO if one.auto else one.term(names[one.root]) if one.root else None
            low, high = self._ranges.get(one.root, (None, None)) if one.root and not one.auto else (None, None)
            axes.append(
                Axis(
                    place_of(one.path),
                    one.index,
                    one.size,
                    dimension,
                    None if low is None else max(LEAST, one.factor * low + one.rest),
                    None if high is None else one.factor * high + one.rest,
                    tuple(dict.fromkeys(one.reasons)),
                    said.get(one.path, {}).get(one.index, Dimension()).name,
                )
            )
        used = dict.fromkeys(one.root for one in self._declared if one.root and not one.auto)
        dims = [(names[root], self._bound(root), self._ranges[root][1]) for root in used]
        known = {(axis.input, axis.index): axis.dimension for axis in axes}
        shapes = tuple([(name, _code((name,), value, known)) for name, value in self._given.values.items()])
        return Proposal(
            self._entry.name, target, self._module.filename, tuple(axes), tuple(dims), shapes, tuple(self._notes)
        )

    def _root(self, low: int = LEAST, high: int | None = None) -> str:
        name = f"d{next(self._numbers)}"
        self._ranges[name] = (low, high)
        return name

    def _bound(self, root: str) -> int | None:
        """The minimum to declare: export takes no size below 2 anyway."""
        low = self._ranges[root][0]
        return low if low > LEAST else None

    def _narrow(self) -> bool:
        """Trace the entry once, and write what is demanded into the declarations; whether anything was."""
        run = new_run(self._project, self._settings)
        dimensions: dict[Path, dict[int, Dimension]] = {}
        for one in self._declared:
            if one.root or one.auto:
                low, high = self._ranges[one.root] if not one.auto else (0, None)
                said = Dimension(
                    None if one.auto else one.term(one.root),
                    max(LEAST, one.factor * low + one.rest),
                    None if high is None else one.factor * high + one.rest,
                )
                dimensions.setdefault(one.path, {})[one.index] = said
        if not dimensions:
            return False
        spec = Dimensions.of("named", parameters_of(self._entry.function), dimensions)
        summary, problem = run_entry(run, self._entry, [replace(self._given, dimensions=spec)], exact=True)
        if problem is not None:
            self._notes[problem] = None
        changed = False
        context = Context(self._entry.name, "named", self._settings.torch_version, self._project)
        for fact in [fact for one in reached([summary] if summary is not None else []) for fact in one.facts]:
            if type(fact) is BoundHit:
                self._notes["not all of the code was followed: an export may narrow these dimensions further"] = None
            if isinstance(fact, SizeDemanded) and fact.operation in ("view", "reshape"):
                changed = self._compared(fact) or changed
            for rule in by_fact().get(type(fact), ()):
                if rule.family == "dynamic_shape":
                    for report in rule.check(fact, context):
                        changed = self._apply(fact, report) or changed
        run.dissolve()
        return changed

    def _apply(self, fact: Fact, report: Violation) -> bool:
        """Write what a report demands into the declarations; whether that changed anything."""
        verdict = verdict_table.verdict(report.case, self._settings.torch_version, Mode.NON_STRICT)
        if verdict in (None, Verdict.OK):
            return False
        demand = report.demand
        value = getattr(fact, "value", None) or getattr(fact, "index", None)
        if isinstance(fact, TruthTested) and type(value) is Sym and demand is None and value.asked is not None:
            demand = self._by_example(value.asked)
        if demand is None:
            names = _dimensions_of(value)
            demand = Demand("adopted", "", names)
            if not names:
                message = f"`{source_of(report.site)}` uses a dynamic size that is not followed"
                reason = replace(_reason(report.site, "", report), message=message)
                return self._left([one for one in self._declared if one.root and not one.auto], reason)
        named = {one.name for one in self._declared if one.root or one.auto}
        if not demand.dimensions <= named:
            return False  # a declaration of this round has changed already
        return self._write(demand, report)

    def _compared(self, fact: SizeDemanded) -> bool:
        """Leave to the guards what a view asks of several dimensions: it compares them one by one with what it is to make,
        and the example decides which are taken for equal; whether anything was left."""
        names = fact.demand.dimensions
        meant = [one for one in self._declared if one.root and not one.auto and one.name in names]
        if fact.demand.kind != "relation" or (fact.demand.difference is not None and len(names) < 2):
            return False
        span = fact.site.module.lines.span(fact.site.node)
        code = source_of(fact.site)
        message = f"`{code}` requires {self._told(fact.demand)}"
        return self._left(meant, Reason(message, fact.site.module.filename, span.start.row, span.start.column, code))

    def _left(self, meant: list[_Declared], reason: Reason) -> bool:
        """Leave dimensions to the guards; whether there were any."""
        for one in meant:
            one.auto = True
            one.reasons.append(reason)
        return bool(meant)

    def _by_example(self, asked: tuple[str, Term, Term]) -> Demand | None:
        """What a comparison demands for the side that the example takes."""
        sign, a, b = asked
        sizes = {one.name: self._root_size(one) for one in self._declared if one.root or one.auto}
        left, right = a.at(sizes), b.at(sizes)
        if left is None or right is None:
            return None
        sign = sign if _HOLDS[sign](left, right) else NEGATED[sign]
        return None if sign == "!=" else compared(sign, a, b)

    def _root_size(self, one: _Declared) -> int:
        return one.size if one.auto else (one.size - one.rest) // one.factor

    def _write(self, demand: Demand, report: Violation) -> bool:
        meant = [one for one in self._declared if (one.root or one.auto) and one.name in demand.dimensions]
        reason = _reason(report.site, self._told(demand), report)
        if demand.kind in ("number", "frozen"):
            for one in meant:
                one.root, one.auto = "", False
                one.reasons = [reason]
            return True
        if all(one.auto for one in meant):
            return False  # Dim.AUTO adopts it
        done = not any(one.auto for one in meant) and self._named(demand)
        for one in meant:
            if not done:
                one.auto = True
            one.reasons.append(reason)
        return True

    def _told(self, demand: Demand) -> str:
        """A demand in the words of the program: the sizes of its inputs instead of Dims. Nothing where these are derived."""
        if demand.kind == "frozen":
            return ""
        places: dict[str, str] = {}
        for one in self._declared:
            if one.auto or (one.root and one.factor == 1 and not one.rest):
                places.setdefault(one.name, one.place)
        if not demand.dimensions <= places.keys():
            return "a size that not all of its range has"
        if demand.kind == "adopted":
            return f"a choice by {' and '.join([f'`{places[name]}`' for name in sorted(demand.dimensions)])}"
        text = re.sub(r"\bd\d+\b", lambda match: places.get(match[0], match[0]), demand.text)
        return f"`{text}`"

    def _named(self, demand: Demand) -> bool:
        """Write a demand into the named Dims; whether they can say it."""
        if demand.kind in ("least", "most"):
            low, high = self._ranges[demand.dimension]
            if demand.kind == "least":
                low = max(low, demand.number)
            else:
                high = demand.number if high is None else min(high, demand.number)
            return self._bounded(demand.dimension, low, high)
        if demand.kind == "multiple":
            return self._substituted(demand.dimension, self._root(), demand.number, 0)
        if demand.kind != "relation" or demand.difference is None:
            return False
        found = [one for name in sorted(demand.dimensions, reverse=True) if (one := solved(demand.difference, name))]
        for name, root, factor, rest in sorted(found, key=lambda one: one[3] < 0):
            if self._substituted(name, root, factor, rest):
                return True
        return False

    def _bounded(self, root: str, low: int, high: int | None) -> bool:
        sizes = [self._root_size(one) for one in self._declared if one.root == root and not one.auto]
        if high is not None and (high <= low or any(size > high for size in sizes)):
            return False
        if any(size < low for size in sizes):
            return False
        self._ranges[root] = (low, high)
        return True

    def _substituted(self, name: str, root: str, factor: int, rest: int) -> bool:
        """Put `factor * root + rest` in the place of a Dim, if the example allows it."""
        low, high = self._ranges[name]
        meant = [one for one in self._declared if one.root == name and not one.auto]
        parts = {divmod(self._root_size(one) - rest, factor) for one in meant}
        if len(parts) != 1 or next(iter(parts))[1]:
            return False
        own_low, own_high = self._ranges[root]
        part = -(-(low - rest) // factor)
        most = None if high is None else (high - rest) // factor
        before = self._ranges[root]
        self._ranges[root] = (
            max(own_low, part) if meant and self._shared(root) else max(part, 1),
            most if own_high is None else own_high if most is None else min(own_high, most),
        )
        size = next(iter(parts))[0]
        low, high = self._ranges[root]
        others = [self._root_size(one) for one in self._declared if one.root == root and not one.auto]
        if size < low or (high is not None and (size > high or high <= low)) or any(one != size for one in others):
            self._ranges[root] = before
            return False
        for one in meant:
            one.root, one.factor, one.rest = root, one.factor * factor, one.factor * rest + one.rest
        return True

    def _shared(self, root: str) -> bool:
        return any(one.root == root and not one.auto for one in self._declared)

    def _names(self) -> dict[str, str]:
        """What to call the Dims: as the file does, else by the tensor and the index of the first dimension that has it."""
        parameters = {*parameters_of(self._entry.function)}
        taken: set[str] = set()
        found: dict[str, str] = {}
        named = self._given.dimensions.declared if self._given.dimensions is not None else {}
        live = [one for one in self._declared if one.root and not one.auto]
        for one in live:
            if one.root in found:
                continue
            same = [other for other in live if other.root == one.root]
            plain = [other for other in same if other.factor == 1 and not other.rest]
            said = [named.get(other.path, {}).get(other.index, Dimension()).name for other in plain]
            wanted = next((name for name in said if name and name.isidentifier()), "")
            if not wanted and plain and len(plain) > 1 and all(other.index == 0 for other in plain):
                wanted = "batch"
            if not wanted:
                wanted = re.sub(r"\W+", "_", place_of(one.path)).strip("_") + f"_{one.index}"
                wanted = wanted if plain else f"_{wanted}"
            name = next(n for n in (f"{wanted}{number or ''}" for number in count()) if n not in taken | parameters)
            taken.add(name)
            found[one.root] = name
        return found


def _dimensions_of(value: object) -> frozenset[str]:
    if type(value) is Tensor:
        terms = [dim.term for dim in value.dims or () if type(dim) is Sym]
        return frozenset().union(*[term.dimensions for term in terms[:1] if term is not None])  # pyright: ignore[reportUnknownVariableType]
    if type(value) is not Sym:
        return frozenset()
    if value.asked is not None:
        return value.asked[1].dimensions | value.asked[2].dimensions
    if value.term is not None:
        return value.term.dimensions
    return frozenset() if value.dim is None else frozenset({value.dim})


def _reason(site: Site, told: str, report: Violation) -> Reason:
    code = source_of(site)
    span = site.module.lines.span(site.node)
    message = f"`{code}` requires {told}" if told else report.message
    return Reason(message, site.module.filename, span.start.row, span.start.column, code)


def _code(path: Path, value: Value, known: dict[tuple[str, int], str | None]) -> str:
    """What to declare of a part of the inputs."""
    if type(value) is Tensor:
        name = place_of(path)
        said = [f"{index}: {dim}" for (tensor, index), dim in known.items() if tensor == name and dim is not None]
        return "{" + ", ".join(said) + "}" if said else "None"
    parts: list[str]
    if isinstance(value, Sequence) and value.items is not None:
        parts = [_code((*path, index), part, known) for index, part in enumerate(value.items)]
        if all(part == "None" for part in parts):
            return "None"
        inner = ", ".join(parts)
        return f"[{inner}]" if value.type == "list" else f"({inner},)" if len(parts) == 1 else f"({inner})"
    if isinstance(value, Mapping) and value.element is None:
        named = {
            key: _code((*path, key), part, known) for key, part in value.items.items() if isinstance(key, (str, int))
        }
        if any(part != "None" for part in named.values()):
            return "{" + ", ".join([f"{_key(key)}: {part}" for key, part in named.items()]) + "}"
    return "None"


def _key(key: str | int) -> str:
    return f'"{key}"' if isinstance(key, str) and key.isidentifier() else repr(key)
