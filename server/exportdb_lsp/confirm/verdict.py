"""From the worker's parts to one result."""

from __future__ import annotations

import re
import signal
from typing import TYPE_CHECKING, Any

from exportdb_rules.disk import read_bytes
from exportdb_rules.source import split_lines

from exportdb_lsp.confirm import messages
from exportdb_lsp.confirm.agreement import disagreement, has_values
from exportdb_lsp.confirm.result import (
    Delegation,
    DimensionOutcome,
    ExportResult,
    Failure,
    Frame,
    Graph,
    InputOrigin,
    Inputs,
    Outcome,
    Traced,
    ValueDifference,
    innermost,
)
from exportdb_lsp.worker.goals import GOALS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from exportdb_rules.finding import Mode

    from exportdb_lsp.confirm.request import ExportRequest

STAGES = {
    "import": "importing the module",
    "reach": "running the program up to its call",
    "construct": "building the model and its inputs",
    "guess": "searching for inputs that the model accepts",
    "eager": "running the model in eager",
    "export": "exporting",
    "lower": "taking the exported program to its goal",
    "draft": "looking for later failures",
    "propose": "trying dynamic shapes",
    "compare": "comparing the exported program with eager",
}


class ResultBuilder:
    """Collects the parts of one export as they come in, then says what they amount to."""

    def __init__(self, request: ExportRequest, target: str, mode: Mode, text: str, goal: str = "") -> None:
        self.request = request
        self.target = target
        self.mode = mode
        self._goal = goal
        self._texts = {request.filename: text, **request.documents}
        self.stage = ""
        self.torch = ""
        self.single: dict[str, dict[str, Any]] = {}
        self.sizes: list[dict[str, Any]] = []
        self.own_call = False
        """It is a call that the user's program made, watched."""
        self.agreed: list[dict[str, Any]] = []
        """What the calls gave in which the worker found no difference."""

    def add(self, part: dict[str, Any]) -> None:
        """One part from the worker."""
        name = part["part"]
        if name == "stage":
            self.stage = part["stage"]
        elif name == "versions":
            self.torch = part["torch"]
        elif name == "sizes":
            self.sizes.append(part)
        elif name == "agreed":
            self.agreed.append(part)
        else:
            self.single[name] = part

    def result(self, ended: Mapping[str, Any]) -> ExportResult:
        """The verdict, given how the child ended."""
        outcome, fields = self._judge(ended)
        exported = self.single.get("exported", {})
        graph = self.single.get("graph", {}).get("graph")
        return ExportResult(
            target=self.target,
            filename=self.request.filename,
            mode=self.mode,
            outcome=outcome,
            torch=self.torch,
            goal=self.goal,
            remark=messages.unchecked(self._goal, self.single["unchecked"]) if "unchecked" in self.single else "",
            inputs=self._inputs(),
            seconds=float(ended.get("seconds", 0.0)),
            output=ended.get("output", ""),
            calls=self._calls(),
            dynamic_shapes=self.single.get("proposed", {}).get("text", ""),
            range_constraints=exported.get("range_constraints", {}),
            constants=self.single.get("constants", {}).get("constants", {}),
            counts=self.single.get("counts", {}).get("counts", {}),
            dimensions=tuple(self._dimension(row) for row in exported.get("dimensions", ())),
            lines={name: tuple(rows) for name, rows in self.single.get("lines", {}).get("lines", {}).items()},
            delegation=tuple(
                Delegation(row["filename"], row["row"], tuple(row["delegated"]), tuple(row["portable"]))
                for row in self.single.get("placed", {}).get("placed", ())
            ),
            traced=tuple(_traced(row) for row in self.single.get("traced", {}).get("traced", ())),
            graph=Graph(graph["text"], tuple((a, b, c) for a, b, c in graph["lines"]), graph["operators"])
            if graph
            else None,
            **fields,
        )

    @property
    def goal(self) -> str:
        """What is judged; empty for the exported program, which is judged in place of what cannot be."""
        return "" if "unchecked" in self.single else self._goal

    @property
    def _judged(self) -> str:
        """What is compared with eager, in a sentence."""
        return GOALS[self.goal].artefact if self.goal else "the exported program"

    def _calls(self) -> int:
        """How many calls were compared; those of a proof stand in its own part."""
        return sum(self.single.get(part, {}).get("calls", 0) for part in ("compared", "sized", "verified"))

    def _judge(self, ended: Mapping[str, Any]) -> tuple[Outcome, dict[str, Any]]:
        """What was proven comes first: a child that dies while it looks for more takes nothing back."""
        if "forged" in self.single:
            message = "no verdict: the model's code interfered with the worker's report"
            return Outcome.CRASH, {"message": message}
        if "no-inputs" in self.single:
            return Outcome.NO_INPUTS, self._no_inputs(self.single["no-inputs"])
        if "no-tools" in self.single:
            return Outcome.NO_TOOLS, {"message": messages.no_tools(self.goal, self.single["no-tools"])}
        if "error" in self.single:
            if _ran_out(self.single["error"]):
                return Outcome.OUT_OF_MEMORY, self._starved(self.single["error"])
            return Outcome.EAGER_ERROR, self._error(self.single["error"])
        if "failure" in self.single:
            if _ran_out(self.single["failure"]):
                return Outcome.OUT_OF_MEMORY, self._starved(self.single["failure"])
            return Outcome.FAILS, self._failure(self.single["failure"], ended)
        if "difference" in self.single:
            return Outcome.DIVERGES, self._difference(self.single["difference"])
        for kind, outcome in (("diverges", Outcome.DIVERGES), ("specializes", Outcome.SPECIALIZES)):
            found = [part for part in self.sizes if part["kind"] == kind]
            if found and (kind == "diverges" or self.request.dynamic != "auto"):
                return outcome, self._sized(found, kind)
        for part in self.agreed:
            apart = disagreement(part, self._judged, GOALS[self.goal].slack if self.goal else 1.0)
            if apart is not None:
                return Outcome.DIVERGES, self._difference({"number": part.get("number", 0), "changed": (), **apart})
        if "refused" in self.single:
            text = self.single["refused"]["detail"].strip()
            message = f"exports for a single value of an input only; with another value: {text.splitlines()[0]}"
            return Outcome.SPECIALIZES, {"message": message, "detail": text}
        frozen = self._frozen() or self._narrowed()
        if frozen is not None:
            return Outcome.SPECIALIZES, frozen
        if ended["how"] != "done" and "judged" not in self.single:
            return self._ended(ended)
        calls = self._calls()
        if "exported" in self.single and "uncompared" in self.single:
            # The user's own call does what it does; what else was tried in its place says nothing without values.
            outcome = Outcome.OK if self.own_call or self.goal else Outcome.NO_INPUTS
            return outcome, {"message": f"exports; not compared with eager: {self.single['uncompared']['reason']}"}
        if "exported" not in self.single or not calls:
            # Whoever says that all is done: without a program, and a call of it, nothing was seen to agree.
            return self._ended(ended)
        compared = self.single.get("compared")
        if compared is not None and compared.get("calls", 0) != len(self.agreed):
            return self._ended(ended)
        if self.agreed and not any(has_values(part) for part in self.agreed):
            outcome = Outcome.OK if self.own_call else Outcome.NO_INPUTS
            return outcome, {"message": "exports; its outputs have no values to compare with eager"}
        exports = f"exports to {GOALS[self.goal].title}" if self.goal else "exports"
        return Outcome.OK, {"message": f"{exports}, and agrees with eager on {calls} calls"}

    def _no_inputs(self, part: Mapping[str, Any]) -> dict[str, Any]:
        frames: tuple[Frame, ...] = ()
        if part.get("row"):
            filename = part.get("filename") or self.request.filename
            frames = (Frame(filename, part["row"], self._line(filename, part["row"])),)
        return {"message": part["message"], "frames": frames}

    def _error(self, part: Mapping[str, Any]) -> dict[str, Any]:
        frames = _frames(part["frames"])
        text = part["detail"].strip()
        doing = {"import": "the module cannot be imported", "construct": "the model cannot be built"}.get(
            part["stage"], "the model does not run in eager"
        )
        first = text.splitlines()[0] if text else ""
        return {
            "message": f"{doing}: {part['exception']}{': ' + first if first else ''}",
            "exception": part["exception"],
            "detail": text,
            "frames": frames,
        }

    def _starved(self, part: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "message": f"requested more than {self._limit} of memory ({STAGES.get(part.get('stage', 'export'))})",
            "exception": part["exception"],
            "detail": part["detail"],
            "frames": _frames(part["frames"]),
        }

    @property
    def _limit(self) -> str:
        return f"{self.request.memory_limit / 1024**3:.3g} GiB"

    def _failure(self, part: Mapping[str, Any], ended: Mapping[str, Any]) -> dict[str, Any]:
        frames = _frames(part["frames"])
        frame = innermost(frames)
        eager = self.single.get("eager-raises")
        text = self.text_of(frame.filename) if frame else None
        failures: list[Failure] = []
        for row in part["restrictions"]:
            failures.append(Failure(f"a dimension is narrowed here: {row['assumed']}", frames=_frames(row["frames"])))
        told = {(f.filename, f.row) for f in [frame, *(f.frame for f in failures)] if f is not None}
        draft = self.single.get("draft")
        for row in draft["failures"] if draft else ():
            stack = _frames(row["frames"])
            place = innermost(stack)
            if place is None and row["expression"] and row["expression"] in part["detail"]:
                continue  # the failure that stopped the export, which draft_export has no line for
            if place is not None and (place.filename, place.row) in told:
                continue
            if place is not None:
                told.add((place.filename, place.row))
            said = messages.later(row, self.text_of(place.filename) if place else None)
            failures.append(Failure(said, exception=row["kind"], frames=stack))
        note = draft["note"] if draft else ""
        if draft is None and self.stage == "draft":
            note = f"draft_export failed: {_death(ended)}"
        origin = _frames(part["origin"])
        if "says" in part:
            message = messages.not_taken(part)
            return {"message": message, "operator": part["operator"], "exception": part["exception"], "detail": part["detail"], "frames": frames}  # fmt: skip
        return {
            "message": messages.describe_failure(
                part, messages.failing_statement(text, frame.row, frame.code) if frame else None
            )
            + (messages.also_in_eager(eager) if eager else ""),
            "exception": part["exception"],
            "detail": part["detail"],
            "frames": frames,
            "origin": origin,
            "graph_break_id": part["graph_break_id"],
            "hints": tuple(part["hints"]),
            "case": part["case"],
            "failures": tuple(failures),
            "draft": note,
            "suggested_fixes": part["suggested_fixes"],
        }

    def _difference(self, part: Mapping[str, Any]) -> dict[str, Any]:
        difference = ValueDifference(
            part["number"], part["place"], part["detail"], part["eager"], part["exported"], tuple(part["changed"])
        )
        message = f"exports, but computes something else: call {part['number']}, {part['place']}: {part['detail']}"
        unsteady = self.single.get("unsteady")
        if unsteady is not None:
            message += f". Eager itself differs between two fresh instances of the model: {messages.eager(unsteady)}"
        forgotten = part.get("forgotten")
        if forgotten:
            message += f"; {self._judged} {forgotten['says']}"
        return {
            "message": message,
            "difference": difference,
            "frames": _frames(forgotten["frames"] if forgotten else ()),
        }

    def _sized(self, found: Sequence[Mapping[str, Any]], kind: str) -> dict[str, Any]:
        part = found[0]
        fields: dict[str, Any] = {
            "frames": _frames(part["frames"]) or self._cause(part["axes"]),
            "detail": part["detail"],
        }
        if kind == "diverges":
            fields["difference"] = ValueDifference(
                1, part["place"], part["detail"], part["eager"], part["exported"], sizes=part["sizes"]
            )
            message = f"exports, but computes something else at other sizes ({part['sizes']}): {part['detail']}"
        else:
            message = f"exports for some sizes only: eager accepts {part['sizes']}, {self._judged} rejects it"
            code = innermost(fields["frames"])
            reason = self._reason(part["axes"])
            message += f"; specialized by `{code.code}`" if code else f", {reason}" if reason else ""
            if self.goal and not code and not reason:
                message += f": {part['detail']}"
        return {"message": message, **fields}

    def _frozen(self) -> dict[str, Any] | None:
        """A size that was asked to be dynamic and is a constant now, even if eager takes no other size either."""
        rows = self.single.get("exported", {}).get("dimensions", ())
        if self.request.dynamic == "auto":
            return None
        for row in rows:
            if not row["dynamic"]:
                frames = _frames(row["frames"])
                frame = innermost(frames)
                by = f" by `{frame.code}`" if frame else f", {row['reason']}" if row["reason"] else ""
                place = f"{row['input']}.shape[{row['axis']}]"
                return {
                    "message": f"{place} was declared dynamic but was specialized to {row['symbol']}{by}",
                    "frames": frames,
                }
        return None

    def _narrowed(self) -> dict[str, Any] | None:
        """Dimensions that torch.export refused as they were asked for, and that the tool of the goal declared anew with fewer
        sizes. One that follows from another now has fewer only if eager takes others, which was tried."""
        part = self.single.get("narrowed")
        if part is None or (
            part["suggested_fixes"] and not any(_is_narrower(fix) for fix in part["suggested_fixes"].values())
        ):
            return None
        detail, frames = part["detail"], _frames(part["frames"])
        message = f"{self._judged} has other dynamic shapes than declared: {messages.describe_failure(part, None)}"
        return {"message": message, "frames": frames, "detail": detail, "suggested_fixes": part["suggested_fixes"]}

    def _dimension(self, row: Mapping[str, Any]) -> DimensionOutcome:
        refused = [
            part
            for part in self.sizes
            if part["kind"] == "specializes" and [row["position"], row["axis"]] in map(list, part["axes"])
        ]
        # What a size is compared with along the way narrows nothing: the line is the one whose guard the refused size breaks.
        frames, reason = next(
            ((p["frames"], p["assumed"]) for p in refused if row["dynamic"]), (row["frames"], row["reason"])
        )
        return DimensionOutcome(
            input=row["input"],
            axis=row["axis"],
            size=row["size"],
            dynamic=row["dynamic"],
            symbol=row["symbol"],
            lower=row["lower"],
            upper=row["upper"],
            cause=innermost(_frames(frames)),
            reason=reason,
            needless=bool(refused),
        )

    def _cause(self, axes: Sequence[Sequence[int]]) -> tuple[Frame, ...]:
        rows = self.single.get("exported", {}).get("dimensions", ())
        for position, axis in axes:
            for row in rows:
                if (row["position"], row["axis"]) == (position, axis) and row["frames"]:
                    return _frames(row["frames"])
        return ()

    def _reason(self, axes: Sequence[Sequence[int]]) -> str:
        """Why a size was frozen where no line of the user's did it."""
        rows = self.single.get("exported", {}).get("dimensions", ())
        wanted = {tuple(axis) for axis in axes}
        frozen = (row for row in rows if (row["position"], row["axis"]) in wanted and not row["dynamic"])
        return next((row["reason"] for row in frozen if row["reason"] and not row["frames"]), "")

    def _ended(self, ended: Mapping[str, Any]) -> tuple[Outcome, dict[str, Any]]:
        doing = STAGES.get(self.stage, "starting")
        frames = _frames_of_faults(ended.get("faults", ""), self.request.filename, str(self.request.root))
        fields: dict[str, Any] = {"frames": frames}
        how = ended["how"]
        # Who is stopped keeps no time: the system then ends the child at the processor time that it was given.
        if how == "timeout" or (how == "signal" and ended.get("code") == getattr(signal, "SIGXCPU", None)):
            return Outcome.TIMEOUT, {"message": f"took more than {self.request.timeout:g} s ({doing})", **fields}
        if how == "memory":
            return Outcome.OUT_OF_MEMORY, {"message": f"took more than {self._limit} of memory ({doing})", **fields}
        if how == "files":
            message = f"took more than {self._limit} of memory and temporary files ({doing})"
            return Outcome.OUT_OF_MEMORY, {"message": message, **fields}
        if how == "cancelled":
            return Outcome.CRASH, {"message": "cancelled", "exception": "Cancelled", **fields}
        message = f"the process died while {doing}: {_death(ended)}"
        internal = self.single.get("internal")
        if internal is not None:
            message = f"the worker failed while {doing}: {internal['message']}"
            replaced, row = internal.get("replaced"), internal.get("row")
            if replaced:
                names = ", ".join([str(name) for name in replaced])
                message = f"the program replaces built-in functions ({names}); {doing} failed: {internal['message']}"
                return Outcome.EAGER_ERROR, {"message": message, **fields}
            if isinstance(row, int):
                message = f"an object of the program raised while {doing}: {internal['message']}"
                code = self._line(self.request.filename, row)
                fields["frames"] = (Frame(self.request.filename, row, code),)
                return Outcome.EAGER_ERROR, {"message": message, **fields}
        return Outcome.CRASH, {"message": message, **fields}

    def _inputs(self) -> Inputs | None:
        part = self.single.get("inputs")
        if part is None:
            return None
        keys = ("args", "kwargs", "dynamic_shapes", "constructor", "place")
        return Inputs(InputOrigin(part["source"]), **{key: part.get(key, "") for key in keys})

    def text_of(self, filename: str) -> str | None:
        """A file of the project as the worker saw it."""
        if filename not in self._texts:
            try:
                self._texts[filename] = read_bytes(filename).decode("utf-8")
            except (OSError, UnicodeDecodeError):
                return None
        return self._texts[filename]

    def _line(self, filename: str, row: int) -> str:
        lines = split_lines(self.text_of(filename) or "")
        return lines[row - 1].strip() if 0 < row <= len(lines) else ""


# The limit shows as one of these where an allocation was refused before the process had to be ended.
_REFUSED = (
    "can't allocate memory",
    "not enough memory",
    "Cannot allocate memory",
    "CUDA out of memory",
    "std::bad_alloc",
)


def _is_narrower(declaration: str) -> bool:
    """Whether torch suggests a number or a range for a dimension, not the size of another."""
    return declaration.isdigit() or "Dim(" in declaration


def _ran_out(part: Mapping[str, Any]) -> bool:
    if part["exception"] in ("MemoryError", "OutOfMemoryError"):
        return True
    return part["exception"] in ("RuntimeError", "OSError") and any(words in part["detail"] for words in _REFUSED)


def _death(ended: Mapping[str, Any]) -> str:
    how, code = ended["how"], ended.get("code", 0)
    if how == "signal":
        import signal

        name = signal.Signals(code).name if code in {s.value for s in signal.Signals} else f"signal {code}"
        return f"killed by {name}"
    if how in ("timeout", "memory", "files"):
        return "out of time" if how == "timeout" else "out of memory"
    return f"exited with code {code}"


def _frames(rows: Sequence[Mapping[str, Any]]) -> tuple[Frame, ...]:
    return tuple(Frame(row["filename"], row["row"], row["code"], row["function"], row["project"]) for row in rows)


_FAULT = re.compile(r'^  File "([^"]+)", line (\d+) in (.+)$')


def _frames_of_faults(text: str, filename: str, root: str) -> tuple[Frame, ...]:
    """The project's lines in what faulthandler wrote as the process was ended; it writes the innermost first."""
    best: list[Frame] = []
    for thread in re.split(r"^(?:Current thread|Thread) .*$", text, flags=re.MULTILINE):
        frames: list[Frame] = []
        for line in thread.splitlines():
            match = _FAULT.match(line)
            if match and (match[1] == filename or (match[1].startswith(root) and "site-packages" not in match[1])):
                frames.append(Frame(match[1], int(match[2]), _code(match[1], int(match[2])), match[3]))
        if len(frames) > len(best):
            best = frames
    return tuple(reversed(best))


def _code(filename: str, row: int) -> str:
    try:
        lines = split_lines(read_bytes(filename).decode("utf-8"))
    except (OSError, UnicodeDecodeError):
        return ""
    return lines[row - 1].strip() if 0 < row <= len(lines) else ""


def _traced(row: Mapping[str, Any]) -> Traced:
    texts = (row["name"], row["shape"], row["dtype"])
    return Traced(row["filename"], row["row"], *texts, operators=tuple(row["operators"]))
