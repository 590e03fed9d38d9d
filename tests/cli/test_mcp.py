"""`exportdb-lsp mcp`, spoken to by the client of the package mcp: tools, their schemas, the same JSON, and what is refused."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from exportdb_lsp.cli.program import program

from ..optional import needs

needs("mcp", "the extra `mcp` is not installed")

NET = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x + 1
        return x - 1


model = Net()
example_args = (torch.randn(3),)
"""
TOOLS = {"check", "export", "fix", "explain", "cases"}


@asynccontextmanager
async def agent(*folders: Path, process: bool = False) -> AsyncIterator[Any]:
    """A client of the server in this process, or over the pipes of its own."""
    import mcp
    from exportdb_lsp.cli.mcp import create

    server: Any = create(folders)
    if process:
        server = mcp.StdioServerParameters(
            command=sys.executable, args=["-m", "exportdb_lsp", "mcp", *map(str, folders)], env=dict(os.environ)
        )
    async with mcp.Client(server, read_timeout_seconds=240) as client:
        yield client


@pytest.fixture
def net(tmp_path: Path) -> Path:
    path = tmp_path / "net.py"
    path.write_text(NET, "utf-8")
    return path


def printed(*arguments: str) -> Any:
    return json.loads(CliRunner().invoke(program, [*arguments, "--output-format", "json"]).stdout)


async def test_the_tools_say_what_they_take() -> None:
    async with agent() as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == TOOLS
    for tool in tools.values():
        assert tool.description
        assert tool.input_schema["type"] == "object"
        assert all(argument["description"] for argument in tool.input_schema["properties"].values())
    assert tools["check"].input_schema["required"] == ["paths"]
    assert tools["check"].input_schema["properties"]["paths"]["items"] == {"type": "string"}
    assert {name for name, tool in tools.items() if tool.annotations.read_only_hint} == {"check", "explain", "cases"}


async def test_what_is_told_is_what_the_commands_print(net: Path) -> None:
    text = (
        "torch._dynamo.exc.Unsupported: Data-dependent branching\n\nfrom user code:\n"
        f'  File "{net}", line 6, in forward\n    if x.sum() > 0:\n'
    )
    async with agent() as client:
        checked = await client.call_tool("check", {"paths": [str(net)], "mode": "both"})
        explained = await client.call_tool("explain", {"text": text, "folder": str(net.parent)})
        listed = await client.call_tool("cases", {"family": "mutation", "verdict": "diverges"})
        shown = await client.call_tool("cases", {"name": "tensor_if"})
    assert checked.structured_content["findings"] == printed("check", str(net), "--mode", "both")
    assert [e["row"] for e in explained.structured_content["explanations"]] == [6]
    assert explained.structured_content["explanations"][0]["rule"]["code"] == "EDB101"
    expected = printed("cases", "list", "--family", "mutation", "--verdict", "diverges")
    assert listed.structured_content["cases"] == expected
    assert "if x" in shown.structured_content["case"]


async def test_a_fix_is_shown_and_written_where_the_user_said_so(net: Path, tmp_path: Path) -> None:
    async with agent(tmp_path) as client:
        shown = await client.call_tool("fix", {"paths": [str(net)], "unsafe": True})
        before = net.read_text("utf-8")
        written = await client.call_tool("fix", {"paths": [str(net)], "unsafe": True, "write": True})
    assert before == NET
    assert "-        if x.sum() > 0:" in shown.structured_content["diff"]
    assert written.structured_content["findings"] == []
    assert net.read_text("utf-8") != NET


async def test_nothing_is_run_or_written_elsewhere(net: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("allowed")
    (other / "link.py").symlink_to(net)
    async with agent(other) as client:
        for tool, arguments in (
            ("export", {"target": str(net)}),
            ("export", {"target": f"{other}/../{net.parent.name}/net.py::Net"}),
            ("export", {"target": str(other / "link.py")}),
            ("fix", {"paths": [str(net)], "unsafe": True, "write": True}),
            ("fix", {"paths": [str(net)], "verify": True}),
        ):
            refused = await client.call_tool(tool, arguments)
            assert refused.is_error, tool
            assert "only" in refused.content[0].text or "no such file" in refused.content[0].text
    assert net.read_text("utf-8") == NET


async def test_wrong_arguments_are_answered(net: Path) -> None:
    async with agent() as client:
        for tool, arguments, words in (
            ("check", {"paths": ["net.py"]}, "must be absolute"),
            ("check", {"paths": []}, "empty"),
            ("check", {"paths": [str(net)], "select": "EDB999"}, "EDB999"),
            ("check", {"paths": [str(net)], "mode": "sideways"}, "mode"),
            ("explain", {"text": "all is well"}, "no torch.export error"),
        ):
            answer = await client.call_tool(tool, arguments)
            said = json.dumps(answer.structured_content) + "".join(part.text for part in answer.content)
            assert words in said, tool


async def test_a_model_is_exported_in_a_folder_of_the_user(net: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    async with agent(tmp_path, process=True) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
        answer = await client.call_tool("export", {"target": f"{net}::Net", "mode": "non-strict"})
    (result,) = answer.structured_content["results"]
    assert (result["outcome"], result["row"]) == ("fails", 6)


def test_without_the_package_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    done = CliRunner().invoke(program, ["mcp"])
    assert done.exit_code == 2
    assert "exportdb-lsp[mcp]" in done.stderr
