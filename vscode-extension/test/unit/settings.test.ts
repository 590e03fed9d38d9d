import assert from "node:assert/strict";
import { test } from "node:test";
import { explicitSettings, textOr, textsOf, type Inspection } from "../../src/settings/explicit";
import { isInside, substitute } from "../../src/settings/variables";

test("only what somebody set is sent: a default must not outrank pyproject.toml", () => {
  const inspections: Record<string, Inspection & { defaultValue?: unknown }> = {
    mode: { defaultValue: "non-strict", workspaceValue: "strict" },
    codeLens: { defaultValue: true, globalValue: false },
    ignore: { defaultValue: [] },
    exclude: { defaultValue: [], workspaceFolderValue: [] },
    path: { globalValue: "/usr/bin/exportdb-lsp" },
    "trace.server": { globalValue: "verbose" },
  };
  const values = { mode: "strict", codeLens: false, exclude: [] };
  assert.deepEqual(
    explicitSettings(
      Object.keys(inspections),
      (name) => inspections[name],
      (name) => values[name as keyof typeof values],
    ),
    values,
  );
});

test("variables in paths", () => {
  const values = { home: "/home/me", folder: "/work/net", env: { ENVS: "/envs" } };
  for (const [text, path] of [
    ["~/bin/exportdb-lsp", "/home/me/bin/exportdb-lsp"],
    ["${workspaceFolder}/.venv/bin/python", "/work/net/.venv/bin/python"],
    ["${env:ENVS}/a/bin/python", "/envs/a/bin/python"],
    ["${env:NO}/bin/python", "/work/net/${env:NO}/bin/python"],
    [".venv/bin/python", "/work/net/.venv/bin/python"],
    [" python3 ", "python3"],
    ["/~/x", "/~/x"],
    ["", ""],
  ] as const) {
    assert.equal(substitute(text, values), path, text);
  }
});

test("a program inside the workspace is recognised as such", () => {
  assert.ok(isInside("/work/net/.venv/bin/python", ["/other", "/work/net"]));
  assert.ok(!isInside("/work/network/bin/python", ["/work/net"]));
  assert.ok(!isInside("/usr/bin/python3", ["/work/net"]));
  assert.ok(isInside("/work/net/../net/x", ["/work/net"]));
  assert.ok(!isInside("python3", []));
});

test("a setting of another type than the declared one counts as not set", () => {
  assert.equal(textOr("/envs/a/bin/python", ""), "/envs/a/bin/python");
  assert.deepEqual(textsOf(["onnx"]), ["onnx"]);
  for (const other of [["python"], 3, true, null, undefined, {}]) {
    assert.equal(textOr(other, "non-strict"), "non-strict");
  }
  for (const other of [3, null, undefined, {}]) assert.deepEqual(textsOf(other), []);
  assert.deepEqual(textsOf("onnx"), ["onnx"]);
  assert.deepEqual(textsOf(["onnx", 3]), ["onnx"]);
});
