import assert from "node:assert/strict";
import { test } from "node:test";
import { exportedGraph, graphTitle, nodesOf, sourceOf } from "../../src/graph/lines";
import { RecentLines } from "../../src/log/recent";
import { bugReport } from "../../src/report/text";
import { statusItem, type Status } from "../../src/status/text";

const IDLE: Status = {
  state: "idle",
  message: "",
  interpreter: "/envs/my_torch/bin/python",
  torch: "2.13.0",
  version: "0.1.0",
  mode: "non-strict",
  trusted: true,
};

test("the status item shows torch and mode, then what keeps the server busy", () => {
  assert.equal(statusItem(IDLE).text, "$(export) torch 2.13.0 · non-strict");
  assert.equal(statusItem({ ...IDLE, torch: undefined }).text, "$(export) no torch · non-strict");
  assert.equal(
    statusItem({ ...IDLE, state: "busy", message: "exporting Net" }).text,
    "$(sync~spin) exporting Net",
  );
  const missing = statusItem({ ...IDLE, state: "missing" });
  assert.equal(missing.text, "$(warning) ExportDB: server not found");
  assert.equal(missing.severity, "warning");
});

test("the tooltip is Markdown: what is not meant as Markdown is escaped", () => {
  assert.match(statusItem(IDLE).tooltip, /my\\_torch/);
  assert.match(statusItem({ ...IDLE, trusted: false }).tooltip, /not trusted/);
});

test("graph lines and source lines find each other", () => {
  const graph = exportedGraph({
    graph: "a\nb\nc\n",
    lines: [[1, "file:///net.py", 5], [2, "file:///net.py", 5], [3, "file:///gate.py", 5], ["x"], null],
  });
  assert.ok(graph);
  assert.equal(sourceOf(graph, 3)?.uri, "file:///gate.py");
  assert.equal(sourceOf(graph, 9), undefined);
  assert.deepEqual(nodesOf(graph, "file:///net.py", 5), [1, 2]);
  assert.equal(exportedGraph({ graph: "" }), undefined);
  assert.equal(exportedGraph(null), undefined);
});

test("the graph of a goal has a title of its own", () => {
  assert.equal(graphTitle({ name: "Net", mode: "strict" }), "Net (strict)");
  assert.equal(graphTitle({ name: "Net", mode: "strict", goal: "onnx" }), "Net (strict, onnx)");
  assert.equal(graphTitle({}), "model (non-strict)");
});

test("the log remembers its last lines", () => {
  const recent = new RecentLines(3);
  recent.add("a\nb");
  recent.add("c\nd");
  assert.deepEqual(recent.all(), ["b", "c", "d"]);
});

test("a bug report does not tell the name of the home folder", () => {
  const report = bugReport({
    versions: { torch: "2.13.0" },
    settings: { interpreter: "/home/anna/envs/bin/python" },
    attempts: ["not used: /home/anna/bin/exportdb-lsp"],
    log: ["started /home/anna/x"],
    home: "/home/anna",
  });
  assert.ok(!report.includes("anna"));
  assert.match(report, /\| torch \| 2\.13\.0 \|/);
  assert.match(report, /"interpreter": "~\/envs\/bin\/python"/);
});
