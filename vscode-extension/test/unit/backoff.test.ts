import assert from "node:assert/strict";
import { test } from "node:test";
import { Backoff } from "../../src/server/backoff";

test("waits longer each time, tells once, and gives up", () => {
  const backoff = new Backoff();
  const retries = [];
  for (let now = 0; now < 5; now++) {
    backoff.started(now);
    retries.push(backoff.crashed(now));
  }
  const delays = retries.map((r) => r.delay);
  assert.deepEqual(
    delays.slice(0, -1),
    delays.slice(0, -1).toSorted((a, b) => (a ?? 0) - (b ?? 0)),
  );
  assert.equal(delays.at(-1), undefined);
  assert.deepEqual(
    retries.map((r) => r.first),
    [true, false, false, false, false],
  );
});

test("a crash after a long healthy life starts a new series", () => {
  const backoff = new Backoff();
  backoff.started(0);
  const first = backoff.crashed(10);
  backoff.started(1_000);
  assert.deepEqual(backoff.crashed(1_000_000), first);
});

test("a server that never comes up does not count as healthy, however long it tries", () => {
  const backoff = new Backoff();
  const delays = [0, 1e6, 2e6, 3e6, 4e6].map((now) => backoff.crashed(now).delay);
  // Without a start there is no health: each crash is a new series only after a start.
  assert.equal(delays.at(-1), undefined);
});

test("a restart by hand forgets the past", () => {
  const backoff = new Backoff();
  for (let i = 0; i < 9; i++) backoff.crashed(i);
  backoff.reset();
  assert.ok(backoff.crashed(10).first);
});
