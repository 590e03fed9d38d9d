import assert from "node:assert/strict";
import { test } from "node:test";
import { explanations, describe } from "../../src/export/explanation";

const RANGE = { start: { line: 5, character: 8 }, end: { line: 5, character: 23 } };
const ANSWER = {
  message: "Data-dependent branch: the value of `x.sum() > 0` is unknown while tracing",
  rule: {
    code: "EDB101",
    name: "tensor-branch",
    url: "https://x/",
    fix: "Rewrite as torch.where",
    unsafe: true,
  },
  graph_break_id: "GB0170",
  graph_break_url: "https://gb/gb0170.html",
  uri: "file:///net.py",
  range: RANGE,
};

test("an explanation has the rule, the line and torch's page", () => {
  const found = explanations({ explanations: [ANSWER] });
  assert.deepEqual(
    found.map((e) => [e.place, e.graphBreak]),
    [
      [
        { uri: "file:///net.py", range: RANGE },
        { id: "GB0170", url: "https://gb/gb0170.html" },
      ],
    ],
  );
  assert.deepEqual(found.map(describe), [
    `EDB101 tensor-branch: ${ANSWER.message} Fix: Rewrite as torch.where.`,
  ]);
});

test("what is not known is left out", () => {
  const bare = { ...ANSWER, rule: null, graph_break_id: null, graph_break_url: null, uri: null, range: null };
  const found = explanations({ explanations: [bare] });
  assert.deepEqual(
    found.map((e) => [e.rule, e.graphBreak, e.place]),
    [[undefined, undefined, undefined]],
  );
  assert.deepEqual(found.map(describe), [ANSWER.message]);
});

test("an answer of another kind is refused", () => {
  assert.throws(() => explanations({}), /no explanations/);
  assert.throws(() => explanations({ explanations: [{ rule: null }] }), /not an explanation/);
});
