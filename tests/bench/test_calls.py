"""The corpus of export calls, and the judge that compares verdicts on them with what running them gives."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from types import ModuleType

import pytest

from .. import proofs
from ..bench_scripts import load


@pytest.fixture(scope="module")
def calls() -> ModuleType:
    return load("calls.py")


def test_the_corpus_is_large_and_its_programs_are_small(calls: ModuleType) -> None:
    programs = calls.programs()
    assert len(programs) >= 72
    assert len({(program.kind, program.name) for program in programs}) == len(programs)
    for program in programs:
        for path in [program.path] if program.path.is_file() else program.path.rglob("*.py"):
            text = path.read_text("utf-8")
            ast.parse(text, str(path))
            assert len(text.splitlines()) < 60, path
            # What the judge finds out must not stand in the program.
            assert "exportdb" not in text, path


def test_each_command_is_that_of_a_program(calls: ModuleType) -> None:
    assert set(calls.COMMANDS) <= {f"{program.kind}/{program.name}" for program in calls.programs()}


@pytest.mark.parametrize(
    ("name", "outcomes"),
    [
        ("model/flag_turns_branch_on", ["raised"]),
        ("model/flag_turns_branch_off", ["returned"]),
        ("names/table_of_exporters", ["raised", "returned"]),
        ("place/in_a_thread", ["returned", "raised"]),
        ("tests/unittest_setup_flips_a_flag", ["raised", "returned"]),
    ],
)
def test_the_recorder_sees_each_call(
    request: pytest.FixtureRequest, calls: ModuleType, tmp_path: Path, name: str, outcomes: list[str]
) -> None:
    (program,) = [program for program in calls.programs() if f"{program.kind}/{program.name}" == name]

    def prove() -> None:
        program.put(tmp_path)
        seen, ran = calls.recorded(Path(sys.executable), program.command, tmp_path)
        assert [call["outcome"] for call in seen] == outcomes
        for call in seen:
            assert Path(call["filename"]).name == program.path.name
            assert "export" in (tmp_path / program.file).read_text("utf-8").splitlines()[call["row"] - 1]
            assert call["faithful"] is (True if call["outcome"] == "returned" else None)
        plain = calls.execute([sys.executable, *program.command], tmp_path)
        assert (plain.status, plain.output) == (ran.status, ran.output)

    read = [program.path] if program.path.is_file() else sorted(program.path.rglob("*.py"))
    sources = (Path(__file__), Path(calls.__file__ or ""), *calls.RECORDER.glob("*.py"), *read)
    proofs.once(request, "calls", name, proofs.key(sources, *program.command), prove)


def test_the_recorder_tells_a_wrong_program(calls: ModuleType, tmp_path: Path) -> None:
    text = """
import torch
class Counter(torch.nn.Module):
    n = 0
    def forward(self, x):
        self.n += 1
        return x * self.n
counter = Counter()
counter(torch.ones(2))
program = torch.export.export(counter, (torch.ones(2),))
class Typed(torch.nn.Module):
    def forward(self, x):
        return x.bfloat16() @ torch.ones(2, 2)
torch.export.export(Typed(), (torch.ones(2, 2),))
"""
    (tmp_path / "wrong.py").write_text(text, "utf-8")
    seen, _ = calls.recorded(Path(sys.executable), ["wrong.py"], tmp_path)
    assert [(call["model"], call["outcome"], call["eager_raises"]) for call in seen] == [
        ("Counter", "returned", False),
        ("Typed", "returned", True),
    ]


RAISED = {"model": "Net", "outcome": "raised", "eager_raises": False}
RETURNED = {"model": "Net", "outcome": "returned", "eager_raises": False}


@pytest.mark.parametrize(
    ("call", "outcome", "verdict"),
    [
        (RAISED, "fails", "agreed"),
        (RETURNED, "ok", "agreed"),
        (RETURNED, "diverges", "agreed"),
        (RETURNED, "specializes", "agreed"),
        (RAISED, "ok", "false ok"),
        (RAISED, "diverges", "false ok"),
        (RETURNED, "fails", "false fails"),
        (RAISED, "not-rebuilt", "no verdict"),
        (RETURNED, "not-rebuilt", "no verdict"),
        (RAISED, "timeout", "no verdict"),
        (RAISED, "eager-error", "no verdict"),
        ({**RAISED, "eager_raises": True}, "eager-error", "agreed"),
        (RETURNED, "eager-error", "no verdict"),
        (RAISED, "none", "no verdict"),
    ],
)
def test_what_agrees(calls: ModuleType, call: dict, outcome: str, verdict: str) -> None:
    assert calls.verdict(call, outcome) == verdict


def rows(*outcomes: str, target: str = "Net") -> list[dict]:
    return [{"target": target, "outcome": outcome, "message": ""} for outcome in outcomes]


def test_results_of_run_are_compared_in_order(calls: ModuleType) -> None:
    judged = calls.in_order([RETURNED, RAISED], rows("fails", "ok"))
    assert judged.verdicts == ["false fails", "false ok"]


def test_a_call_without_a_result_has_no_verdict(calls: ModuleType) -> None:
    judged = calls.in_order([{**RETURNED, "model": "Other"}, RAISED], rows("fails"))
    assert (judged.verdicts, judged.extra) == (["no verdict", "agreed"], 0)
    assert calls.in_order([RAISED], []).verdicts == ["no verdict"]


def test_a_result_without_a_call_is_counted(calls: ModuleType) -> None:
    judged = calls.by_class([RETURNED], [*rows("ok"), *rows("fails", target="Part")])
    assert (judged.verdicts, judged.extra) == (["agreed"], 1)


def test_results_of_export_go_to_the_calls_of_their_class(calls: ModuleType) -> None:
    first, second = {**RETURNED, "model": "One"}, {**RAISED, "model": "Two"}
    judged = calls.by_class([first, second], [*rows("fails", target="Two"), *rows("ok", target="main.<locals>.One")])
    assert judged.verdicts == ["agreed", "agreed"]


def test_a_result_that_names_its_line_goes_to_no_other_call(calls: ModuleType) -> None:
    first, second = {**RETURNED, "row": 3}, {**RAISED, "row": 9}
    (fails,) = rows("fails")
    judged = calls.by_class([first, second], [{**fails, "call": "/p/main.py:9"}])
    assert judged.verdicts == ["no verdict", "agreed"]


def test_times_and_addresses_are_no_difference(calls: ModuleType) -> None:
    assert calls.same("== 3 passed in 1.20s ==\n<Net at 0x7f001122>", "= 3 passed in 12.01s =\n<Net at 0x7f991122>")
    assert calls.same("data_ptr=94376649663104 shape=(16,)", "data_ptr=140376649663200 shape=(16,)")
    assert not calls.same("3 passed in 1.20s", "2 passed in 1.20s")
    assert not calls.same("parameters: 9437664966", "parameters: 9437664967")


def test_how_often_a_progress_bar_is_drawn_is_no_difference(calls: ModuleType) -> None:
    slow = (
        "Passes:  40%|████      | 2/5 [00:01<00:02,  1.21it/s]\nPasses: 100%|██████████| 5/5 [00:02<00:00, 2.1 ops/s]\n"
    )
    assert calls.same(slow + "5 of 5\n", "Passes: 100%|██████████| 5/5 [00:00<00:00, 10810.06 ops/s]\n5 of 5\n")
    assert not calls.same(slow + "5 of 5\n", "4 of 5\n")
    assert calls.difference(slow + "5 of 5\n", "4 of 5\n")[-2:] == ["-5 of 5", "+4 of 5"]
