"""Results of exports as JUnit XML, which every CI service shows as tests."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from exportdb_lsp.confirm.result import Outcome
from exportdb_lsp.files.names import posix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from exportdb_lsp.confirm.result import ExportResult

# Characters that XML 1.0 has no way to write.
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_xml(results: Sequence[ExportResult]) -> bytes:
    """One test case for each target and mode: `failure` where export is at fault, `error` where it was not tried."""
    failed = sum(result.outcome is not Outcome.OK and not result.outcome.untried for result in results)
    counts = {
        "tests": str(len(results)),
        "failures": str(failed),
        "errors": str(sum(result.outcome.untried for result in results)),
        "time": f"{sum(result.seconds for result in results):.3f}",
    }
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(suites, "testsuite", {"name": "torch.export", **counts})
    for result in results:
        row = result.call.rpartition(":")[2]
        name = {
            "classname": _writable(f"{posix(result.filename)}::{result.target}"),
            "name": f"{result.how}, call at line {row}" if row else result.how,
        }
        case = ElementTree.SubElement(suite, "testcase", {**name, "time": f"{result.seconds:.3f}"})
        frame = result.frame
        if frame is not None:
            case.set("file", _writable(posix(frame.filename)))
            case.set("line", str(frame.row))
        if result.outcome is Outcome.OK:
            continue
        kind = "error" if result.outcome.untried else "failure"
        problem = ElementTree.SubElement(
            case, kind, {"type": result.outcome.value, "message": _writable(result.message.split("\n")[0])}
        )
        stack = [f"{posix(f.filename)}:{f.row}: {f.code}" for f in result.frames]
        problem.text = _writable("\n".join([*stack, result.detail or result.message]))
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True) + b"\n"


def _writable(text: str) -> str:
    return _UNWRITABLE.sub("�", text)
