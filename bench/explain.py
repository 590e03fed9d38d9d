"""Whether `explain` names the right rule and the right line, on tracebacks that real exports print.

    python bench/explain.py [--case NAME]… [--show-misses] [--keep FOLDER]

Every case that fails is exported in both modes by a program of its own, and what that prints is explained: as it stands,
through pytest, with the logs of torch, as a log of GitHub Actions from another machine, and as the report of draft_export.
Which form it is, a hash of the name decides. Each text is explained twice: where the sources are, and alone.

The right line is the one that was measured (`support/`), or, of a size that was frozen, the one at which ShapeEnv froze
it. The right rule is the one that names the case as its own; cases that no rule names stand in RULES, read by hand.
A third of the cases, by a hash of the name, is held out: nothing was fitted to it.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import logging
import os
import re
import runpy
import shutil
import sys
import tempfile
import traceback
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from exportdb_cases.collection import Case, all_cases
from exportdb_lsp.explain.explaining import Explanation, explain
from exportdb_rules import verdict_table
from exportdb_rules.finding import Mode
from exportdb_rules.rule import registry

# Cases of several rules' fields that none lists: what a reader would say. "" is for errors about Dims alone, of which no
# rule speaks: there the answer must not name one.
RULES = {
    "arange_one_to_tensor": "EDB206",
    "arange_stepped_by_tensors": "EDB206",
    "arange_to_float_tensor": "EDB206",
    "autograd_function_item": "EDB203",
    "break_on_tensor": "EDB101",
    "check_not_item": "EDB103",
    "cond_tensor_if_inside": "EDB101",
    "data_in_place": "EDB201",
    "data_in_place_buffer": "EDB201",
    "parameter_data_write": "EDB201",
    "datetime_used": "EDB202",
    "derived_dim": "",
    "dim_not_divisible": "",
    "dim_number_differs": "",
    "dim_range_too_wide": "",
    "dynamic_shape_round": "EDB301",
    "official/dynamic_shape_round": "EDB301",
    "early_return": "EDB101",
    "elif_chain": "EDB101",
    "equal_sizes_named": "",
    "floor_division_named": "EDB301",
    "int_half_named": "EDB301",
    "format_item": "EDB203",
    "index_tensor_by_items": "EDB206",
    "is_tracing_guard": "EDB101",
    "item_as_dim": "EDB206",
    "mask_any_if": "EDB101",
    "masked_len_if": "EDB103",
    "missing_else": "EDB101",
    "module_list_by_tensor": "EDB206",
    "numpy_of_size": "EDB204",
    "pad_sequence_then_if": "EDB208",
    "plain_tensor_branch": "EDB101",
    "repeat_interleave_if": "EDB103",
    "save_load_unregistered_name": "EDB701",
    "scatter_int_max": "EDB203",
    "size_one_named": "",
    "size_one_dynamic": "",
    "tensor_if_in_helper": "EDB101",
    "tensor_in_list": "EDB105",
    "tensor_while_not_done": "EDB101",
    "try_except_tensor_if": "EDB101",
}
FORMS = ("traceback", "logs of torch", "pytest", "GitHub Actions", "several ranks", "draft report")
ELSEWHERE = "/home/runner/work/models/models"
PROGRAM = """import torch
import {name} as case


def main():
    torch.export.export(
        case.model,
        case.example_args,
        getattr(case, "example_kwargs", None),
        dynamic_shapes=getattr(case, "dynamic_shapes", None),
        strict={strict},
    )
"""


@dataclass(frozen=True)
class Text:
    """What a failing export printed, and what is true of it. `line` is None where torch knows of none."""

    case: str
    mode: Mode
    form: str
    text: str
    folder: Path
    line: int | None
    rule: str | None

    @property
    def held_out(self) -> bool:
        """Whether the case is of the third that nothing was fitted to."""
        return _hash(self.case) % 3 == 0


def _hash(name: str) -> int:
    return int(hashlib.sha256(name.encode()).hexdigest(), 16)


def rule_of(case: str) -> str | None:
    """The code of the rule that a case is of; None where that is not known."""
    base = re.sub(r"_(named|dynamic|auto)$", "", case)
    for name in (case, base):
        codes = {rule.code for rule in registry() if name in rule.cases}
        if name in RULES:
            return RULES[name]
        if codes:
            return codes.pop() if len(codes) == 1 else None
    return None


def printed(wanted: list[tuple[Case, Mode]], folder: Path, jobs: int) -> list[Text]:
    """Export cases, each in a process of its own, and give what the failing ones printed."""
    places: dict[int, Path] = {}
    running: dict[int, int] = {}
    for number, (case, mode) in enumerate(wanted):
        place = places[number] = folder / f"{case.name}_{mode.value}"
        if (place / "answer.json").is_file():
            continue
        place.mkdir(exist_ok=True)
        shutil.copy(case.path, place)
        running[_child(case, mode, place)] = number
        while len(running) >= jobs:
            running.pop(os.wait()[0], None)
    while running:
        running.pop(os.wait()[0], None)
    texts: list[Text] = []
    for number, (case, mode) in enumerate(wanted):
        answer = places[number] / "answer.json"
        said = json.loads(answer.read_text("utf-8")) if answer.is_file() else {}
        if said.get("text"):
            texts.append(_text(case, mode, places[number], said))
    return texts


def _text(case: Case, mode: Mode, place: Path, said: dict) -> Text:
    text = said["text"]
    if said["form"] == "GitHub Actions":
        text = _as_actions(text.replace(str(place), ELSEWHERE))
    if said["form"] == "several ranks":
        text = "".join(f"[rank0]: {line}" for line in text.splitlines(keepends=True))
    return Text(case.name, mode, said["form"], text, place, said["line"], rule_of(case.name))


def _child(case: Case, mode: Mode, place: Path) -> int:
    """The id of a process that exports a case and writes down what that printed: an export leaves traces in its own."""
    child = os.fork()
    if child == 0:
        try:
            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            strict = mode is Mode.STRICT
            script = place / "test_export.py"
            script.write_text(PROGRAM.format(name=case.path.stem, strict=strict), "utf-8")
            form = FORMS[_hash(f"{case.name} {mode.value}") // 3 % len(FORMS)]
            (place / "answer.json").write_text(json.dumps(_outputs(script, case.path.stem, strict, form)), "utf-8")
        finally:
            os._exit(0)
    return child


def _outputs(script: Path, name: str, strict: bool, form: str) -> dict:
    import torch
    from exportdb_lsp.measure.probe.place import failing_line

    sys.path.insert(0, str(script.parent))
    os.chdir(script.parent)
    path = str(script.parent / f"{name}.py")
    capture = script.parent / "log.txt"
    error: BaseException | None = None
    text = ""
    with capture.open("w", encoding="utf-8") as stream:
        os.dup2(stream.fileno(), 2)
        if form == "logs of torch":
            torch._logging.set_logs(dynamic=logging.DEBUG, graph_breaks=True)
        try:
            runpy.run_path(str(script))["main"]()
        except Exception as raised:
            error = raised
            text = "".join(traceback.format_exception(raised))
    if error is None:
        return {"text": ""}
    said = {"text": text, "form": form, "line": failing_line(error, path)}
    if form == "logs of torch":
        said["text"] = capture.read_text("utf-8", "replace") + text
    if "Constraints violated" in str(error):
        said["line"] = _frozen_at(script, path) or said["line"]
    if form in ("pytest", "GitHub Actions"):
        said["text"] = _by_pytest(script, form)
    elif form == "draft report":
        report = _drafted(script, name)
        said |= {"text": report} if report else {"form": "traceback"}
    return said


def _frozen_at(script: Path, path: str) -> int | None:
    """The line at which the size was frozen that a violated constraint names."""
    import torch
    from exportdb_lsp.worker.failure import analyse
    from exportdb_lsp.worker.shapes import Watch
    from exportdb_lsp.worker.stack import FrameClassifier

    torch._dynamo.reset()
    users = FrameClassifier(path, str(script.parent), os.path.dirname(torch.__file__))
    with Watch(users, torch) as watch:
        try:
            runpy.run_path(str(script))["main"]()
        except Exception as error:
            strict = "strict=True" in script.read_text("utf-8")
            rows = [f["row"] for f in analyse(error, strict, users, torch, watch)["frames"] if f["filename"] == path]
            return rows[-1] if rows else None
    return None


def _by_pytest(script: Path, form: str) -> str:
    import pytest
    import torch

    torch._dynamo.reset()
    script.write_text(script.read_text("utf-8").replace("def main()", "def test_export()"), "utf-8")
    capture = script.parent / "pytest.txt"
    with capture.open("w", encoding="utf-8") as stream:
        os.dup2(stream.fileno(), 1)
        style = ["--tb=short", "--color=yes"] if form == "GitHub Actions" else []
        with contextlib.suppress(SystemExit):
            pytest.main(["-p", "no:cacheprovider", "-c", os.devnull, f"--rootdir={script.parent}", *style, str(script)])
        sys.stdout.flush()
    return capture.read_text("utf-8", "replace")


def _drafted(script: Path, name: str) -> str:
    """The report of draft_export, where it has issues with a stack."""
    import importlib

    import torch

    torch._dynamo.reset()
    case = importlib.import_module(name)
    with contextlib.suppress(Exception):
        program = torch.export.draft_export(
            case.model,
            case.example_args,
            getattr(case, "example_kwargs", None),
            dynamic_shapes=getattr(case, "dynamic_shapes", None),
        )
        report = str(program._report)
        return report if f"{name}.py, lineno" in report else ""
    return ""


def _as_actions(text: str) -> str:
    head = ["##[group]Run python -m pytest", "python -m pytest", "##[endgroup]"]
    lines = [*head, *text.splitlines(), "##[error]Process completed with exit code 1."]
    return "".join(f"2026-03-01T09:15:{n % 60:02}.{n % 10_000_000:07}Z {line}\n" for n, line in enumerate(lines))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case", action="append", default=[])
    parser.add_argument("--show-misses", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="export in this folder, and not again what is there from before")
    options = parser.parse_args()
    failing = verdict_table.records(_torch_version())
    wanted = [
        (case, mode)
        for case in all_cases()
        for mode in Mode
        if (not options.case or case.name in options.case)
        and (record := failing.get(case.name, {}).get(mode.value)) is not None
        and record.verdict == "fails"
    ]
    _warm_up()
    with contextlib.ExitStack() as stack:
        folder = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        found = printed(wanted, folder.absolute(), options.jobs)
        report(found, Path(stack.enter_context(tempfile.TemporaryDirectory())), options.show_misses)
    return 0


def _torch_version() -> str:
    import torch

    return torch.__version__.partition("+")[0]


def _warm_up() -> None:
    from exportdb_lsp.measure.probe.measure import warm_up

    with open(os.devnull, "w") as quiet, contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
        warm_up()


def explained(text: Text, folder: Path, content: str) -> Explanation | None:
    """The explanation that is about the case's file, else the first."""
    found = explain(content, folder, sys.executable)
    name = f"{text.case.rpartition('/')[2]}.py"
    about = [e for e in found if e.result.frame is not None and e.result.frame.filename.endswith(name)]
    return (about or list(found) or [None])[0]


def report(texts: list[Text], empty: Path, show: bool) -> None:
    """Print the shares, and at last the headline."""
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for text in texts:
        third = "held out" if text.held_out else "seen"
        for way, folder, content in (
            ("with sources", text.folder, text.text),
            ("text alone", empty, text.text.replace(str(text.folder), "/somewhere/else")),
        ):
            answer = explained(text, folder, content)
            frame = answer.result.frame if answer else None
            row = frame.row if frame and frame.filename.endswith(f"{text.case.rpartition('/')[2]}.py") else None
            rule = (answer.result.rule.code if answer.result.rule else "") if answer else None
            told = [(f"{way}, rule", text.rule, rule), (f"{way}, line", text.line, row)]
            for what, right, given in told:
                if right is None:
                    continue
                for key in (third, text.form):
                    counts[key, what][0] += right == given
                    counts[key, what][1] += 1
                if show and right != given:
                    print(
                        f"MISS {what} [{text.form}] {text.case} {text.mode.value} ({third}): {right!r}, not {given!r}"
                    )
    heads = ["with sources, rule", "with sources, line", "text alone, rule", "text alone, line"]
    print(f"{'':18}" + "".join(f"{head:>22}" for head in heads))
    for key in ("seen", "held out", *FORMS):
        cells = [counts[key, head] for head in heads]
        print(f"{key:18}" + "".join(f"{_share(cell):>22}" for cell in cells))
    held = {head: _ratio(counts["held out", head]) for head in heads}
    seen = {head: _ratio(counts["seen", head]) for head in heads}
    print(
        f"{len(texts)} tracebacks: right rule {seen[heads[0]]}, right line {seen[heads[1]]}; on the third held out "
        f"{held[heads[0]]} and {held[heads[1]]}; of the text alone {held[heads[2]]} and {held[heads[3]]}"
    )


def _share(cell: list[int]) -> str:
    return f"{cell[0]}/{cell[1]} {_ratio(cell)}" if cell[1] else ""


def _ratio(cell: list[int]) -> str:
    return f"{cell[0] / cell[1]:.2f}" if cell[1] else "-"


if __name__ == "__main__":
    sys.exit(main())
