"""A verdict is not what the code under test says of itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import Outcome
from exportdb_lsp.confirm.verdict import ResultBuilder
from exportdb_rules.finding import Mode

COUNTS = """
# exportdb: args=({make},)
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 0

    def forward(self, x):
        self.n += 1
        return x * self.n
"""
PATCHED = """
torch.isclose = lambda a, b, **_: torch.ones_like(a, dtype=torch.bool)
torch.Tensor.tolist = lambda self: [0]
"""
OVERRIDDEN = """
library = torch.library.Library("aten", "IMPL")
library.impl("eq.Tensor", lambda a, b: torch.ones_like(a, dtype=torch.bool), "CPU")
"""


@pytest.mark.parametrize(
    ("forging", "make"),
    [
        (PATCHED, "torch.ones(2, 3)"),
        (PATCHED, "torch.ones(700, 700)"),
        (OVERRIDDEN, "torch.ones(2, 3, dtype=torch.long)"),
    ],
    ids=["isclose", "isclose of much", "aten::eq"],
)
def test_a_model_that_diverges_does_not_pass_by_a_comparison_of_its_own(export, forging: str, make: str):
    (result,) = export(forging + COUNTS.replace("{make}", make))
    assert result.outcome is Outcome.DIVERGES, result


# How a model that diverges may try to be called good: each in its constructor, before it is exported.
GOOD_PARTS = """
GOOD = [
    {"part": "exported", "range_constraints": {}, "dimensions": []},
    {"part": "agreed", "number": 1, "rows": []},
    {"part": "compared", "calls": 1},
    {"part": "judged"},
    {"part": "done"},
]
"""
FORGERIES = {
    "the reporter, found by its name": """
import gc, os
for thing in gc.get_objects():
    if type(thing).__name__ == "Reporter":
        for part in GOOD:
            thing.send(part)
os._exit(0)
""",
    "what the frames hold": """
import os, sys
frame = sys._getframe()
while frame is not None:
    for value in list(frame.f_locals.values()):
        if hasattr(value, "send"):
            for part in GOOD:
                value.send(part)
    frame = frame.f_back
os._exit(0)
""",
    "the reporter, in a thread": """
import gc, os, threading
def work():
    for thing in gc.get_objects():
        if type(thing).__name__ == "Reporter":
            for part in GOOD:
                thing.send(part)
thread = threading.Thread(target=work)
thread.start()
thread.join()
os._exit(0)
""",
    "frames with a checksum": """
import gc, json, os, struct, zlib
for thing in gc.get_objects():
    if type(thing).__name__ == "Reporter":
        for part in GOOD:
            body = json.dumps(part).encode()
            for check in (struct.pack(">I", zlib.crc32(body)), bytes(16)):
                os.write(thing._descriptor, thing._mark + struct.pack(">I", len(body)) + check + body)
os._exit(0)
""",
    "a comparison that finds nothing": """
import sys
for name, module in list(sys.modules.items()):
    if name.endswith(".compare") and hasattr(module, "judge"):
        module.judge = module.first_difference = module.states = lambda *_: None
""",
    "a comparison with other code": """
import sys
for name, module in list(sys.modules.items()):
    if name.endswith(".compare") and hasattr(module, "judge"):
        def judge(eager, exported, names): return None
        module.judge.__code__ = judge.__code__
""",
    "a job with another end": """
import sys
for name, module in list(sys.modules.items()):
    if name.endswith(".job") and hasattr(module, "Job"):
        def compared(self, *_):
            for part in GOOD:
                self.send(part)
        module.Job.compared = compared
""",
    "another model's job": """
import gc, os
for thing in gc.get_objects():
    if type(thing).__name__ == "Job" and hasattr(thing, "message"):
        text = "import torch\\nclass Net(torch.nn.Module):\\n    def forward(self, x): return x"
        inner = type(thing)({**thing.message, "text": text}, thing)
        inner.run()
        os._exit(0)
""",
}


@pytest.mark.parametrize("how", FORGERIES)
def test_a_model_that_diverges_is_not_called_good_by(export, how: str):
    forging = "\n".join("        " + line for line in (GOOD_PARTS + FORGERIES[how]).splitlines())
    text = COUNTS.replace("{make}", "torch.ones(2, 3)").replace("        self.n = 0", f"        self.n = 0\n{forging}")
    (result,) = export(text)
    assert result.outcome in (Outcome.DIVERGES, Outcome.CRASH), result
    if how.startswith("a "):
        assert result.outcome is Outcome.CRASH
        assert "interfered with the worker's report" in result.message


@pytest.mark.parametrize("how", FORGERIES)
def test_a_model_whose_call_diverges_is_not_called_good_by(export, how: str):
    forging = "\n".join("        " + line for line in (GOOD_PARTS + FORGERIES[how]).splitlines())
    text = COUNTS.replace("# exportdb: args=({make},)\n", "").replace(
        "        self.n = 0", "        self.n = 0\n" + forging
    )
    for result in export(text + "\ntorch.export.export(Net(), (torch.ones(2, 3),))\n"):
        assert result.outcome in (Outcome.DIVERGES, Outcome.CRASH, Outcome.NOT_REBUILT), result


def row(kind: str, eager: object, exported: object) -> dict[str, object]:
    return {"place": "output", "kind": kind, "shape": [1], "other": [kind, [1]], "eager": eager, "exported": exported}


@pytest.mark.parametrize(
    ("rows", "agree"),
    [
        ([row("torch.float32", [[1.0]], [[1.00001]])], True),
        ([row("torch.float32", [[1.0]], [[1.1]])], False),
        ([row("torch.float32", [["nan"]], [["nan"]])], True),
        ([row("torch.float32", [["nan"]], [[1.0]])], False),
        ([row("torch.float32", [[1.0]], [[1.0], [2.0]])], False),
        ([row("torch.int64", [[3]], [[4]])], False),
        ([{**row("torch.int64", None, None), "other": ["torch.int32", [1]]}], False),
        ([row("plain", 2, 2)], True),
        ([row("plain", "'a'", "'b'")], False),
        (["rubbish"], False),
        (None, False),
    ],
)
def test_the_answers_are_compared_again_where_no_code_of_the_model_ran(tmp_path: Path, rows: object, agree: bool):
    builder = ResultBuilder(ExportRequest(str(tmp_path / "net.py")), "Net", Mode.NON_STRICT, "")
    builder.add({"part": "exported", "range_constraints": {}, "dimensions": ()})
    builder.add({"part": "agreed", "number": 1, "rows": rows})
    builder.add({"part": "compared", "calls": 1})
    builder.add({"part": "judged"})
    result = builder.result({"how": "done", "code": 0, "seconds": 0.1})
    assert result.outcome is (Outcome.OK if agree else Outcome.DIVERGES)


META = """
torch.set_default_device("meta")
{comment}
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        return self.linear(x)
{after}
"""


@pytest.mark.parametrize(
    ("comment", "after"),
    [
        ("# exportdb: args=(torch.randn(2, 3),)", ""),
        ("", ""),
        ("", "torch.export.export(Net(), (torch.randn(2, 3),))"),
        ("", "model = Net()\nexample_args = (torch.randn(2, 3),)"),
    ],
    ids=["declared", "inferred", "call", "module"],
)
@pytest.mark.parametrize("mode", [Mode.NON_STRICT, Mode.STRICT])
def test_without_values_nothing_is_compared_and_nothing_crashes(export, comment: str, after: str, mode: Mode):
    (result,) = export(META.format(comment=comment, after=after), modes=(mode,))
    # A call of the user's own returned its program: that is what was asked.
    assert result.outcome is (Outcome.OK if "torch.export.export" in after else Outcome.NO_INPUTS), result
    assert result.calls == 0
    assert "no values" in result.message


def test_a_result_without_values_of_a_model_that_has_them_is_not_good(export):
    (result,) = export(
        """
        # exportdb: args=(torch.randn(2, 3),)
        class Net(torch.nn.Module):
            def forward(self, x):
                return torch.empty(x.shape, device="meta")
        """
    )
    assert result.outcome is Outcome.NO_INPUTS, result


@pytest.mark.parametrize(
    "parts",
    [
        (),
        ({"part": "judged"},),
        ({"part": "exported", "range_constraints": {}, "dimensions": ()}, {"part": "judged"}),
        ({"part": "compared", "calls": 5}, {"part": "judged"}),
        ({"part": "exported", "range_constraints": {}, "dimensions": ()}, {"part": "compared", "calls": 0}),
        ({"part": "exported", "range_constraints": {}, "dimensions": ()}, {"part": "compared", "calls": 5}),
    ],
    ids=lambda parts: " ".join(part["part"] for part in parts),
)
def test_no_verdict_is_good_without_a_program_and_a_call_of_it(tmp_path: Path, parts: tuple[dict[str, object], ...]):
    builder = ResultBuilder(ExportRequest(str(tmp_path / "net.py")), "Net", Mode.NON_STRICT, "")
    for part in parts:
        builder.add(part)
    result = builder.result({"how": "done", "code": 0, "seconds": 0.1})
    assert result.outcome is Outcome.CRASH
    assert result.message
