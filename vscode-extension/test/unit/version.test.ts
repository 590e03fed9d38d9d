import assert from "node:assert/strict";
import { test } from "node:test";
import { isRecent, versionIn } from "../../src/server/version";

test("finds the version in what programs print", () => {
  for (const [output, version] of [
    ["exportdb-lsp 0.1.0", "0.1.0"],
    ["exportdb-lsp, version 1.20.3\n", "1.20.3"],
    ["0.2", "0.2"],
    ["exportdb-lsp 0.2.0rc1 (Python 3.11.2)", "0.2.0rc1"],
    ["usage: exportdb-lsp", undefined],
  ] as const) {
    assert.equal(versionIn(output), version, output);
  }
});

test("compares numbers, not text", () => {
  assert.ok(isRecent("0.10.0", "0.9.0"));
  assert.ok(isRecent("1.0", "0.9.9"));
  assert.ok(isRecent("0.1.0", "0.1.0"));
  assert.ok(isRecent("0.1.0rc1", "0.1.0"));
  assert.ok(!isRecent("0.1.9", "0.2.0"));
});
