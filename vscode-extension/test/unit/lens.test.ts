import assert from "node:assert/strict";
import { test } from "node:test";
import { decorate } from "../../src/lens/decorate";

const lens = (title: string, command = "exportdb.export") => ({
  range: 7,
  command: { title, command, arguments: [{ uri: "file:///net.py", name: "Net" }] },
});

test("the ways to a verdict stand in one row, with icons", () => {
  const plain = [
    lens("✗ strict: fails"),
    lens("Export"),
    lens("Export strict"),
    lens("Export non-strict"),
    lens("Graph", "exportdb.showGraph"),
  ];
  const decorated = decorate(plain);
  assert.deepEqual(
    decorated.map((l) => l.command?.title),
    ["✗ strict: fails", "$(play) Export", "strict", "non-strict", "$(type-hierarchy) Graph"],
  );
  for (const [i, { range, command }] of decorated.entries()) {
    assert.deepEqual({ range, command: { ...command, title: plain[i]?.command.title } }, plain[i]);
  }
});

test("the goal stands behind the first of the row", () => {
  const plain = [lens("✓ strict, onnx: exports"), lens("Export to ONNX"), lens("Export strict to ONNX")];
  assert.deepEqual(
    decorate(plain).map((l) => l.command?.title),
    ["✓ strict, onnx: exports", "$(play) Export to ONNX", "strict"],
  );
});

test("other lenses stay as they are", () => {
  const other = [lens("Clear", "exportdb.clear"), { range: 1 }];
  assert.deepEqual(decorate(other), other);
  // One that the server has yet to resolve is known again by the object itself.
  assert.equal(decorate(other)[1], other[1]);
});
