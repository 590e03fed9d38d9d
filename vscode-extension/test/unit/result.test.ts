import assert from "node:assert/strict";
import { test } from "node:test";
import { exportResults } from "../../src/export/result";
import { allFaithful, summary } from "../../src/export/summary";
import { exportTargets, targetAt } from "../../src/export/target";
import { testOutcome } from "../../src/testing/outcome";

const FAILS = {
  target: "Net",
  filename: "/net.py",
  torch: "2.13.0",
  mode: "non-strict",
  outcome: "fails",
  exception: "GuardOnDataDependentSymNode",
  message: "a tensor decides a branch",
  row: 12,
  frames: [
    { filename: "/net.py", row: 7, code: "return gate(x)" },
    { filename: "/gate.py", row: 12, code: "  if x.sum() > 0:" },
  ],
  row_filename: "/gate.py",
  hints: ["Use torch.cond"],
  inputs: { source: "comment", args: "(x,)" },
  seconds: 0.4,
};
const OK = {
  ...FAILS,
  mode: "strict",
  outcome: "ok",
  message: "",
  row: null,
  row_filename: null,
  frames: [],
};

function parsed(value: object) {
  const [result] = exportResults({ results: [value] });
  assert.ok(result);
  return result;
}

test("the failing line may be in another file than the model", () => {
  const result = parsed(FAILS);
  assert.equal(result.rowFilename, "/gate.py");
  assert.equal(result.inputs, "comment");
  assert.equal(parsed({ ...FAILS, row_filename: undefined }).rowFilename, "/net.py");
});

test("an answer of another form is an error that shows it", () => {
  assert.throws(() => exportResults(null), /no results/);
  assert.throws(
    () => exportResults({ results: [{ ...OK, outcome: "maybe" }] }),
    /not an export result.*maybe/,
  );
  assert.throws(() => exportResults({ results: ["x"] }), /not an export result/);
});

test("an export that was cancelled is no crash", () => {
  const crash = { ...OK, outcome: "crash", message: "cancelled", exception: "Cancelled" };
  assert.ok(parsed(crash).cancelled);
  assert.equal(summary([parsed(crash)]), "Net: cancelled (strict)");
  assert.ok(!parsed({ ...crash, exception: "SegmentationFault" }).cancelled);
  assert.ok(!parsed(FAILS).cancelled);
});

test("a summary names model, verdict, line and mode", () => {
  const results = exportResults({ results: [FAILS, OK, { ...OK, target: "Other" }] });
  assert.equal(summary(results), "Net: fails on line 12 (non-strict), ok (strict); Other: ok (strict)");
  assert.ok(!allFaithful(results));
  assert.ok(allFaithful(exportResults({ results: [OK] })));
  assert.equal(summary([]), "This file has nothing to export.");
});

test("outcomes as test states", () => {
  const states = Object.fromEntries(
    [
      "ok",
      "fails",
      "diverges",
      "specializes",
      "no-inputs",
      "not-rebuilt",
      "no-tools",
      "eager-error",
      "timeout",
      "crash",
    ].map((outcome) => [outcome, testOutcome(parsed({ ...FAILS, outcome })).state]),
  );
  assert.deepEqual(states, {
    ok: "passed",
    fails: "failed",
    diverges: "failed",
    specializes: "failed",
    "no-inputs": "errored",
    "not-rebuilt": "errored",
    "no-tools": "errored",
    "eager-error": "errored",
    timeout: "failed",
    crash: "failed",
  });
});

test("a failed test says why, what to do, how it came there and where", () => {
  const outcome = testOutcome(parsed(FAILS));
  assert.equal(
    outcome.message,
    [
      "fails: a tensor decides a branch",
      "Hint: Use torch.cond",
      "  /net.py:7  return gate(x)",
      "  /gate.py:12  if x.sum() > 0:",
    ].join("\n"),
  );
  assert.deepEqual(outcome.place, { filename: "/gate.py", row: 12 });
  assert.equal(outcome.expected, undefined);
});

test("a divergence has both sides", () => {
  const difference = { call: 2, place: "output[0]", detail: "off by 3", sizes: "x: (4, 3)" };
  const outcome = testOutcome(parsed({ ...FAILS, outcome: "diverges", difference }));
  assert.deepEqual([outcome.expected, outcome.actual], ["eager: another value", "exported: off by 3"]);
  const values = { ...difference, eager: "6.0", exported: "3.0" };
  const exact = testOutcome(parsed({ ...FAILS, outcome: "diverges", difference: values }));
  assert.deepEqual([exact.expected, exact.actual], ["eager: 6.0", "exported: 3.0"]);
});

function target(name: string, from: number, to: number) {
  const range = { start: { line: from, character: 0 }, end: { line: to, character: 0 } };
  return { name, range, selectionRange: range, source: "" };
}

test("the target at the cursor is the innermost, or the only one", () => {
  const targets = exportTargets({ targets: [target("Outer", 0, 20), target("Inner", 5, 9)] });
  assert.equal(targetAt(targets, 7)?.name, "Inner");
  assert.equal(targetAt(targets, 12)?.name, "Outer");
  assert.equal(targetAt(targets, 30), undefined);
  assert.equal(targetAt(targets.slice(0, 1), 30)?.name, "Outer");
  assert.equal(targets[0]?.source, undefined);
  assert.throws(() => exportTargets({}), /no targets/);
  assert.throws(() => exportTargets({ targets: [{}] }), /not a target/);
});
