import assert from "node:assert/strict";
import { test } from "node:test";
import { decorate } from "../../src/lens/decorate";

const argument = (modes: string[]) => ({ uri: "file:///net.py", name: "Net", modes });
const lens = (title: string, modes: string[], command = "exportdb.export") => ({
  range: 7,
  command: { title, command, arguments: [argument(modes)] },
});

test("each model gets one lens for its graph, after the server's own", () => {
  const decorated = decorate(
    [
      lens("✗ strict: fails", ["strict"]),
      lens("Export", ["non-strict", "strict"]),
      lens("Export strict", ["strict"]),
    ],
    "non-strict",
  );
  assert.deepEqual(
    decorated.map((l) => l.command?.title),
    ["✗ strict: fails", "$(play) Export", "$(play) Export strict", "$(type-hierarchy) Graph"],
  );
  assert.deepEqual(decorated.at(-1)?.command?.arguments, [
    { uri: "file:///net.py", name: "Net", mode: "non-strict" },
  ]);
});

test("other lenses stay as they are", () => {
  const other = [lens("Clear", [], "exportdb.clear"), { range: 1 }];
  assert.deepEqual(decorate(other, "strict"), other);
});
