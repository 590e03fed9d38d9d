"""Real exports from the editor: progress, verdicts on the lines, and never a verdict on a text that it is not about."""

import ast
import asyncio
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from exportdb_lsp.confirm.result import InputOrigin, Inputs
from exportdb_lsp.worker.goals import GOALS
from lsprotocol import types
from pygls.exceptions import JsonRpcException

INPUTS = "# exportdb: args=(torch.ones(3),)\nclass Net"


def with_inputs(helpers: Any) -> str:
    return helpers.BRANCH.replace("class Net", INPUTS)


def exported(report: Any) -> list[types.Diagnostic]:
    """The marks that an export has a part in: of its own, or findings that it confirms or refutes."""
    return [mark for mark in report.items if mark.source == "exportdb (export)" or said_of(mark) is not None]


def said_of(mark: types.Diagnostic) -> str | None:
    """What exports came to for a finding: confirmed, refuted or nothing."""
    return (mark.data or {}).get("export", {}).get("status")


async def test_a_verdict_is_marked_and_goes_with_the_text_that_it_was_about(start: Any, helpers: Any) -> None:
    editor = await start(options={"showsStatus": True})
    text = with_inputs(helpers)
    uri = editor.open("net.py", text)
    assert await editor.lenses(uri) == ["Export", "Export strict", "Export non-strict", "Graph"]
    answer = await editor.command("exportdb.export", {"uri": uri, "name": "Net"})
    assert [(r["mode"], r["outcome"], r["row"]) for r in answer["results"]] == [
        ("non-strict", "fails", 8),
        ("strict", "fails", 8),
    ]
    await editor.until(lambda: types.WORKSPACE_DIAGNOSTIC_REFRESH in editor.refreshed)
    marked = exported(await editor.pull(uri))
    # One problem, one mark: the finding, confirmed in both modes.
    (mark,) = (await editor.pull(uri)).items
    assert (mark.code, mark.source, mark.range.start.line) == ("EDB101", "exportdb", 7)
    assert mark.severity == types.DiagnosticSeverity.Error
    assert re.search(r"\(confirmed by an export of Net: non-strict, strict, torch \d+\.\d+\.\d+\)$", mark.message)
    related = [information.message for information in mark.related_information]
    assert any(message.startswith("Net (strict): Data-dependent branch") for message in related)
    assert any(message.startswith("torch: Unsupported: ") for message in related)
    assert (await editor.lenses(uri))[:2] == ["✗ non-strict: fails", "✗ strict: fails"]
    # The message is a sentence; what torch itself says is below, with its hints.
    shown = (await editor.hover(uri, 7, 12)).value
    assert "**Last export** of `Net` (strict): Data-dependent branch" in shown
    assert "[GB0170](https://" in shown
    assert "message of torch:\n\n```text\n" in shown
    # Progress began, said what it was at, and ended.
    (reports,) = editor.client.progress_reports.values()
    assert isinstance(reports[0], types.WorkDoneProgressBegin)
    assert reports[0].cancellable
    assert isinstance(reports[-1], types.WorkDoneProgressEnd)
    assert [s["state"] for s in editor.status][-2:] == ["busy", "idle"]
    # An edit takes the verdict away; taking the edit back brings it again.
    editor.replace(uri, "\n" + text)
    assert exported(await editor.pull(uri)) == []
    assert (await editor.lenses(uri))[0] == "○ non-strict: fails (stale)"
    editor.replace(uri, text)
    assert len(exported(await editor.pull(uri))) == len(marked)
    await editor.command("exportdb.clear", {"uri": uri})
    assert exported(await editor.pull(uri)) == []
    assert await editor.lenses(uri) == ["Export", "Export strict", "Export non-strict", "Graph"]


ONLY_SOMETIMES = """\
import os

import torch


# exportdb: args=(torch.ones(3),)
class Net(torch.nn.Module):
    def forward(self, x):
        if os.environ.get("EXPORTDB_NOBODY_SETS_THIS") and x.sum() > 0:
            return x + 1
        return x - 1
"""


async def test_a_finding_that_an_export_refutes_says_so_until_the_text_changes(start: Any) -> None:
    editor = await start()
    uri = editor.open("net.py", ONLY_SOMETIMES)
    (before,) = (await editor.pull(uri)).items
    assert (before.code, before.severity, said_of(before)) == ("EDB101", types.DiagnosticSeverity.Error, None)
    answer = await editor.command("exportdb.export", {"uri": uri, "modes": ["non-strict"]})
    assert [result["outcome"] for result in answer["results"]] == ["ok"]
    (mark,) = (await editor.pull(uri)).items
    assert (mark.code, mark.severity, said_of(mark)) == ("EDB101", types.DiagnosticSeverity.Information, "refuted")
    assert mark.message.startswith(f"{before.message} (Net exports with these inputs: non-strict, torch ")
    related = [information.message for information in mark.related_information]
    assert "Net (non-strict): inputs args=(torch.ones(3),)" in related
    # The menu is about the same mark.
    action = next(a for a in await editor.actions(uri, 8, 60) if a.diagnostics)
    assert action.diagnostics[0].message == mark.message
    editor.replace(uri, ONLY_SOMETIMES + "\n")
    assert (await editor.pull(uri)).items[0].message == before.message
    editor.replace(uri, ONLY_SOMETIMES)
    assert said_of((await editor.pull(uri)).items[0]) == "refuted"


async def test_a_refuted_finding_of_the_other_mode_stays_a_warning(start: Any) -> None:
    editor = await start(settings={"mode": "both"})
    uri = editor.open("net.py", ONLY_SOMETIMES)
    await editor.command("exportdb.export", {"uri": uri, "modes": ["non-strict"]})
    (mark,) = (await editor.pull(uri)).items
    assert (mark.severity, said_of(mark)) == (types.DiagnosticSeverity.Warning, "refuted")


async def test_an_export_of_another_torch_refutes_nothing(start: Any) -> None:
    editor = await start(settings={"torchVersion": "2.9.1"})
    uri = editor.open("net.py", ONLY_SOMETIMES)
    await editor.command("exportdb.export", {"uri": uri, "modes": ["non-strict"]})
    (mark,) = (await editor.pull(uri)).items
    assert (mark.severity, said_of(mark)) == (types.DiagnosticSeverity.Error, None)


async def test_a_divergence_and_the_finding_that_foretold_it_are_one_mark(start: Any) -> None:
    editor = await start()
    text = """\
import torch


# exportdb: args=(torch.ones(3),)
class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x + self.calls
"""
    uri = editor.open("net.py", text)
    answer = await editor.command("exportdb.export", {"uri": uri, "modes": ["non-strict"]})
    assert [result["outcome"] for result in answer["results"]] == ["diverges"]
    (mark,) = (await editor.pull(uri)).items
    assert (mark.code, mark.range.start.line, said_of(mark)) == ("EDB401", 10, "confirmed")


async def test_a_closed_file_has_one_mark_too(start: Any, helpers: Any, tmp_path: Path) -> None:
    (tmp_path / "closed.py").write_text(with_inputs(helpers))
    editor = await start()
    uri = editor.uri("closed.py")
    await editor.command("exportdb.export", {"uri": uri, "modes": ["strict"]})
    # Until somebody asks for the marks of closed files, they are pushed.
    pushed = await editor.until_pushed(uri, lambda p: p.diagnostics)
    assert [mark.source for mark in pushed.diagnostics] == ["exportdb (export)"]
    (document,) = (await editor.pull_workspace()).items
    assert [(mark.code, said_of(mark)) for mark in document.items] == [("EDB101", "confirmed")]
    await editor.until_pushed(uri, lambda p: not p.diagnostics)
    await editor.command("exportdb.export", {"uri": uri, "modes": ["strict"]})
    await editor.command("exportdb.status")
    assert not [p for p in editor.pushed if p.uri == uri][-1].diagnostics


async def test_a_call_of_export_is_a_target_of_its_own(start: Any, helpers: Any) -> None:
    editor = await start()
    call = "\n\nnet = Net()\ntorch.export.export(\n    net, (torch.ones(3),)\n)\n"
    uri = editor.open("net.py", helpers.BRANCH.rstrip() + call)
    row = len(helpers.BRANCH.rstrip().splitlines()) + 3
    found = (await editor.command("exportdb.targets", {"uri": uri}))["targets"]
    assert [(t["name"], t["source"]) for t in found] == [("Net", "inferred"), (str(row), "call")]
    assert found[1]["label"] == f"export at line {row}"
    answer = await editor.command("exportdb.export", {"uri": uri, "name": str(row)})
    (result,) = answer["results"]
    assert (result["mode"], result["outcome"], result["call"].rpartition(":")[2]) == ("non-strict", "fails", str(row))
    assert "✗ non-strict: fails" in await editor.lenses(uri)


async def test_a_fixed_model_exports_and_its_shapes_are_shown(start: Any, helpers: Any) -> None:
    editor = await start(settings={"inlayHints": True})
    text = with_inputs(helpers).replace(
        "        if x.sum() > 0:\n            return x + 1\n        return x - 1\n",
        "        y = x.reshape(1, 3) + 1\n        return y.sum(0)\n",
    )
    uri = editor.open("net.py", text)
    answer = await editor.command("exportdb.export", {"uri": uri, "modes": ["non-strict"]})
    assert [r["outcome"] for r in answer["results"]] == ["ok"]
    assert exported(await editor.pull(uri)) == []
    assert (await editor.lenses(uri))[0] == "✓ non-strict: exports"
    assert "[1, 3]" in (await editor.hover(uri, 7, 9)).value
    params = types.InlayHintParams(
        types.TextDocumentIdentifier(uri), types.Range(types.Position(0, 0), types.Position(99, 0))
    )
    hints = await editor.within(editor.client.text_document_inlay_hint_async(params))
    assert [(hint.position.line, hint.position.character) for hint in hints] == [(7, 9)]
    assert "[1, 3]" in hints[0].label
    graph = await editor.command("exportdb.showGraph", {"uri": uri, "name": "Net", "mode": "non-strict"})
    assert "reshape" in graph["graph"] or "view" in graph["graph"]
    assert all(line[1] == uri for line in graph["lines"])
    assert 8 in {line[2] for line in graph["lines"]}
    written = await editor.command("exportdb.writeInputs", {"uri": uri, "name": "Net"})
    assert written == {"written": False, "reason": "the inputs are already in a comment"}


async def test_inputs_of_the_module_can_be_written_above_the_class(start: Any, helpers: Any) -> None:
    capabilities = helpers.without()
    capabilities["general"] = {"positionEncodings": ["utf-32"]}
    editor = await start(capabilities)
    text = helpers.BRANCH + "\n\nmodel = Net()\nexample_args = (torch.ones(3),)\n"
    uri = editor.open("net.py", text)
    found = await editor.command("exportdb.targets", {"uri": uri})
    assert [(t["name"], t["source"], t["selectionRange"]["start"]) for t in found["targets"]] == [
        ("Net", "module", {"line": 4, "character": 6})
    ]
    written = await editor.command("exportdb.writeInputs", {"uri": uri, "name": "Net"})
    assert written["written"] is True
    (applied,) = editor.applied
    after = helpers.edited(text, applied.edit, uri)
    comment = after.splitlines()[4]
    assert comment.startswith("# exportdb: args=")
    assert after.splitlines()[5] == "class Net(nn.Module):"


def test_the_comment_of_inputs_is_one_line_and_says_the_same() -> None:
    inputs = Inputs(InputOrigin.CONFIG, '(\n    torch.ones(3),\n    "two  blanks",\n)', constructor=" Net() ")
    assert inputs.as_comment() == '# exportdb: args=( torch.ones(3), "two  blanks", ) constructor=Net()'


async def test_an_export_is_cancelled_by_its_progress(start: Any, helpers: Any) -> None:
    editor = await start()
    text = "import time\n" + with_inputs(helpers).replace("        if x", "        time.sleep(60)\n        if x")
    uri = editor.open("net.py", text)
    exporting = asyncio.ensure_future(editor.command("exportdb.export", {"uri": uri}, "mine"))
    reports = editor.client.progress_reports
    await editor.until(lambda: any(isinstance(r, types.WorkDoneProgressReport) for r in reports.get("mine", ())))
    editor.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams("mine"))
    results = (await exporting)["results"]
    assert all(r["outcome"] == "crash" for r in results)
    # What was not finished is no verdict.
    assert exported(await editor.pull(uri)) == []


async def test_an_export_that_is_cancelled_while_its_progress_is_asked_for_leaves_nothing_behind(
    start: Any, helpers: Any
) -> None:
    editor = await start()
    uri = editor.open("net.py", with_inputs(helpers))
    asked, answered = asyncio.Event(), asyncio.Event()
    editor.client.protocol.fm._features.pop(types.WINDOW_WORK_DONE_PROGRESS_CREATE, None)

    @editor.client.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)
    async def create(params: Any) -> None:
        asked.set()
        await answered.wait()

    params = types.ExecuteCommandParams("exportdb.export", [{"uri": uri}])
    exporting = await editor.ask(types.WORKSPACE_EXECUTE_COMMAND, params, "mine")
    await editor.within(asked.wait())
    editor.client.protocol.notify(types.CANCEL_REQUEST, types.CancelParams(id="mine"))
    with pytest.raises(JsonRpcException):
        await editor.within(exporting)
    answered.set()
    assert (await editor.command("exportdb.status"))["busy"] is False


def alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at /proc")
async def test_a_restart_while_a_worker_starts_ends_that_worker(start: Any, helpers: Any, tmp_path: Path) -> None:
    slow, started, go_on = tmp_path / "python", tmp_path / "started", tmp_path / "go on"
    slow.write_text(
        f'#!/bin/sh\necho $$ >> "{started}"\nwhile [ ! -e "{go_on}" ]; do sleep 0.05; done\nexec {sys.executable} "$@"\n'
    )
    slow.chmod(0o755)
    editor = await start(settings={"interpreter": str(slow)})
    uri = editor.open("net.py", with_inputs(helpers))

    def processes() -> list[int]:
        return [int(line) for line in started.read_text().split()] if started.exists() else []

    for number in range(1, 4):
        exporting = asyncio.ensure_future(editor.command("exportdb.export", {"uri": uri, "modes": ["strict"]}))
        await editor.until(lambda number=number: len(processes()) == number)
        await editor.command("exportdb.restartWorker")
        # It is answered before that worker has started, and as what it was.
        (result,) = (await exporting)["results"]
        assert (result["exception"], result["message"]) == ("Cancelled", "cancelled")
    go_on.touch()
    answer = await editor.command("exportdb.export", {"uri": uri, "modes": ["strict"]})
    assert [r["outcome"] for r in answer["results"]] == ["fails"]
    await editor.until(lambda: [alive(pid) for pid in processes()] == [False, False, False, True])


async def test_a_restart_while_a_model_runs_cancels_it(start: Any, helpers: Any) -> None:
    editor = await start()
    text = "import time\n" + with_inputs(helpers).replace("        if x", "        time.sleep(60)\n        if x")
    uri = editor.open("net.py", text)
    reports = editor.client.progress_reports
    for token in ("first", "second"):
        exporting = asyncio.ensure_future(editor.command("exportdb.export", {"uri": uri}, token))

        def eager(token: str = token) -> bool:
            return any("eager" in (getattr(report, "message", "") or "") for report in reports.get(token, ()))

        await editor.until(eager)
        await editor.command("exportdb.restartWorker")
        assert {(r["exception"], r["message"]) for r in (await exporting)["results"]} == {("Cancelled", "cancelled")}


async def test_an_edit_of_what_is_exported_cancels_it(start: Any, helpers: Any) -> None:
    editor = await start()
    slow = with_inputs(helpers).replace("        if x", "        time.sleep(60)\n        if x")
    text = "import time\nif False:  # it is not on the disk\n    import helper\n" + slow
    uri = editor.open("net.py", text)
    editor.open("helper.py", "import deeper\n")
    deeper, stranger = editor.open("deeper.py", "A = 1\n"), editor.open("stranger.py", "B = 1\n")
    reports = editor.client.progress_reports
    await editor.command("exportdb.export", {"uri": editor.open("quick.py", with_inputs(helpers))})
    for number, edited in enumerate((deeper, uri)):
        token = f"export {number}"
        exporting = asyncio.ensure_future(editor.command("exportdb.export", {"uri": uri}, token))

        def eager(token: str = token) -> bool:
            return any("eager" in (getattr(report, "message", "") or "") for report in reports.get(token, ()))

        await editor.until(eager)
        editor.replace(stranger, f"B = {number + 2}\n")
        done, _ = await asyncio.wait([exporting], timeout=0.5)
        assert not done, "the edit of a file that has nothing to do with it ended the export"
        editor.replace(edited, (text if edited == uri else "") + f"A = {number + 2}\n")
        results = (await exporting)["results"]
        assert {(r["outcome"], r["message"]) for r in results} == {("crash", "cancelled")}
    assert exported(await editor.pull(uri)) == []


async def test_nothing_of_an_untrusted_workspace_is_run(start: Any, helpers: Any) -> None:
    editor = await start(options={"trusted": False})
    uri = editor.open("net.py", with_inputs(helpers))
    for command in ("exportdb.export", "exportdb.showGraph", "exportdb.writeInputs", "exportdb.restartWorker"):
        with pytest.raises(JsonRpcException, match="not trusted"):
            await editor.command(command, {"uri": uri, "name": "Net"})
    assert await editor.lenses(uri) == []
    assert await editor.codes(uri) == [("EDB101", 7)]


@pytest.mark.parametrize(
    ("command", "argument", "message"),
    [
        ("exportdb.export", None, "`uri` is missing"),
        ("exportdb.export", {"uri": "untitled:nowhere"}, "not open"),
        ("exportdb.export", {"uri": "file:///nowhere/at/all.py"}, "No such file"),
        ("exportdb.export", {"uri": "file:///x.py", "modes": ["sloppy"]}, "`non-strict` or `strict`"),
        ("exportdb.export", {"uri": "file:///x.py", "modes": []}, "must be a list"),
        ("exportdb.export", {"uri": "file:///x.py", "dynamic": 1}, "`given`, `none` or `auto`"),
        ("exportdb.rule", {"code": "EDB999"}, "no rule 'EDB999'"),
        ("exportdb.rule", {}, "`code` is missing"),
        ("exportdb.explain", {}, "`text` is missing"),
        ("exportdb.nonsense", {}, "unknown command 'exportdb.nonsense'"),
    ],
)
async def test_a_wrong_command_is_refused_with_the_reason(
    start: Any, command: str, argument: dict[str, Any] | None, message: str
) -> None:
    editor = await start()
    with pytest.raises(JsonRpcException, match=message):
        await editor.command(command, argument)


async def test_what_needs_no_export(start: Any, helpers: Any, tmp_path: Any) -> None:
    (tmp_path / "closed.py").write_text(helpers.BRANCH)
    editor = await start()
    uri = editor.open("net.py", helpers.BRANCH)
    page = await editor.command("exportdb.rule", {"code": "EDB101"})
    assert page["name"] == "tensor-branch"
    assert "## Use instead" in page["markdown"]
    status = await editor.command("exportdb.status")
    assert status["busy"] is False
    assert status["modes"] == ["non-strict"]
    assert "## Use instead" in (await editor.hover(uri, 6, 12)).value
    assert await editor.hover(uri, 0, 0) is None
    assert await editor.command("exportdb.checkWorkspace") == {"files": 2, "findings": 2, "cancelled": False}


async def test_an_error_is_explained_by_the_text_that_is_open(start: Any, helpers: Any, tmp_path: Any) -> None:
    editor = await start()
    uri = editor.open("net.py", "# Not saved yet.\n" + helpers.BRANCH)
    text = (
        "torch._dynamo.exc.Unsupported: Data-dependent branching\n"
        " For more details, please visit: https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0170.html\n\n"
        f'from user code:\n  File "{tmp_path / "net.py"}", line 7, in forward\n    if x.sum() > 0:\n'
    )
    (said,) = (await editor.command("exportdb.explain", {"text": text}))["explanations"]
    assert (said["uri"], said["range"]["start"]["line"]) == (uri, 7)
    assert (said["rule"]["code"], bool(said["rule"]["fix"]), said["graph_break_id"]) == ("EDB101", True, "GB0170")
    assert await editor.command("exportdb.explain", {"text": "nothing", "uri": uri}) == {"explanations": []}


async def verifying(editor: Any, uri: str, place: types.Position | None = None) -> dict[str, Any]:
    """What to send, for each action that is to be proven before it is applied, by the title of its fix.

    lsprotocol takes an action that has a command for a bare command, and the command's text for its name.
    """
    place = place or types.Position(7, 12)
    params = types.CodeActionParams(
        types.TextDocumentIdentifier(uri), types.Range(place, place), types.CodeActionContext([])
    )
    found = await editor.within(editor.client.text_document_code_action_async(params))
    commands = [ast.literal_eval(action.command) for action in found if isinstance(action, types.Command)]
    assert {command["command"] for command in commands} <= {"exportdb.verifyFix"}
    return {c["title"].removesuffix(", and verify by exporting"): c["arguments"][0] for c in commands}


async def test_a_fix_is_verified_before_it_is_applied(start: Any, helpers: Any) -> None:
    editor = await start()
    text = with_inputs(helpers)
    uri = editor.open("net.py", text)
    actions = await verifying(editor, uri)
    assert len(actions) == 2
    argument = next(argument for title, argument in actions.items() if "torch.where" in title)
    answer = await editor.command("exportdb.verifyFix", argument)
    assert (answer["proven"], answer["written"]) == (True, True), answer
    assert "verified on" in answer["message"]
    (applied,) = editor.applied
    assert "torch.where(" in helpers.edited(text, applied.edit, uri)
    editor.replace(uri, "\n" + text)
    with pytest.raises(JsonRpcException, match="text changed"):
        await editor.command("exportdb.verifyFix", argument)


async def test_an_edit_ends_the_proof_of_a_fix(start: Any, helpers: Any) -> None:
    editor = await start()
    text = "import time\n" + with_inputs(helpers).replace("        if x", "        time.sleep(60)\n        if x")
    uri = editor.open("net.py", text)
    place = types.Position(9, 12)
    argument = next(iter((await verifying(editor, uri, place)).values()))
    proving = asyncio.ensure_future(editor.command("exportdb.verifyFix", argument, "mine"))
    reports = editor.client.progress_reports
    await editor.until(lambda: any(isinstance(r, types.WorkDoneProgressReport) for r in reports.get("mine", ())))
    editor.replace(uri, text + "\n")
    with pytest.raises(JsonRpcException, match="text changed"):
        await proving
    assert editor.applied == []


async def test_a_fix_that_is_not_proven_is_not_applied(start: Any, helpers: Any) -> None:
    editor = await start()
    text = with_inputs(helpers).replace("return x - 1", "x = x - 1\n        return x.chunk(int(x.sum().abs()) + 1)[0]")
    uri = editor.open("net.py", text.replace("            return x + 1", "            x = x + 1"))
    for argument in (await verifying(editor, uri)).values():
        answer = await editor.command("exportdb.verifyFix", argument)
        assert (answer["proven"], answer["written"]) == (False, False), answer
        assert "needs a tensor value" in answer["message"]
        break
    else:
        pytest.fail("nothing is offered")
    assert editor.applied == []


async def test_no_fix_is_verified_where_nothing_may_run(start: Any, helpers: Any) -> None:
    editor = await start(options={"trusted": False})
    uri = editor.open("net.py", with_inputs(helpers))
    assert await verifying(editor, uri) == {}


async def test_what_torch_suggests_for_a_named_dimension_is_offered_after_an_export(start: Any, helpers: Any) -> None:
    editor = await start()
    text = """\
import torch
from torch.export import Dim

rows = Dim("rows")


# exportdb: args=(torch.randn(8, 2),) dynamic_shapes=({0: rows},)
class Net(torch.nn.Module):
    def forward(self, x):
        return x.view(x.shape[0] // 4, 4, 2).sum(1)
"""
    uri = editor.open("net.py", text)
    assert [a for a in await editor.actions(uri, 3) if "suggested" in a.title] == []
    answer = await editor.command("exportdb.export", {"uri": uri, "modes": ["non-strict"]})
    assert [r["outcome"] for r in answer["results"]] == ["fails"]
    (action,) = [a for a in await editor.actions(uri, 3) if "suggested" in a.title]
    assert action.title.endswith(": rows = 4*_rows")
    resolved = await editor.resolved(action)
    after = helpers.edited(text, resolved.edit, uri)
    assert 'rows = 4 * Dim("_rows", ' in after or 'rows = 4 * Dim("_rows")' in after
    editor.replace(uri, after)
    answer = await editor.command("exportdb.export", {"uri": uri, "modes": ["non-strict"]})
    assert [r["outcome"] for r in answer["results"]] == ["ok"]


async def test_the_goal_of_the_settings_is_named_by_lenses_and_verdicts(start: Any, helpers: Any) -> None:
    editor = await start(settings={"to": ["onnx", "aoti"]}, options={"showsStatus": True})
    # Without their tools, neither goal takes long.
    tools = "import os, sys\nos.environ['CXX'] = 'g++-0'\nsys.modules['onnxruntime'] = None\n"
    uri = editor.open("net.py", with_inputs(helpers) + tools)
    goals = "to ONNX, AOTInductor"
    assert await editor.lenses(uri) == [
        f"Export {goals}",
        f"Export strict {goals}",
        f"Export non-strict {goals}",
        "Graph",
        "ONNX graph",
        "AOTInductor graph",
    ]
    answer = await editor.command("exportdb.export", {"uri": uri, "name": "Net", "modes": ["non-strict"]})
    assert [result["goal"] for result in answer["results"]] == ["onnx", "aoti"]
    assert (await editor.lenses(uri))[:2] == ["! non-strict, onnx: no-tools", "! non-strict, aoti: no-tools"]


async def test_the_graph_of_a_goal_is_linked_with_the_source(start: Any, helpers: Any) -> None:
    for package in GOALS["onnx"].packages:
        pytest.importorskip(package)
    editor = await start()
    text = with_inputs(helpers).replace("x.sum() > 0", "len(x) > 2")
    uri = editor.open("net.py", text)
    graph = await editor.command("exportdb.showGraph", {"uri": uri, "name": "Net", "goal": "onnx"})
    shown, rows = graph["graph"].splitlines(), text.splitlines()
    assert shown[0].startswith("# ONNX model, opset ")
    ((line, place, row),) = graph["lines"]
    assert (shown[line - 1].strip()[:24], place) == ('add: "FLOAT[3]" = Add(x,', uri)
    assert rows[row - 1].strip() == "return x + 1"
    with pytest.raises(JsonRpcException, match="`goal` must be one of onnx, executorch, aoti, not 'tvm'"):
        await editor.command("exportdb.showGraph", {"uri": uri, "name": "Net", "goal": "tvm"})
