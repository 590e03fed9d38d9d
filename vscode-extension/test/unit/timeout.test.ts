import assert from "node:assert/strict";
import { test } from "node:test";
import { TimeoutError, withTimeout } from "../../src/server/timeout";

const never = new Promise<string>(() => undefined);
const wanted = () => new AbortController();

test("what comes in time is passed on, whether it went well or not", async () => {
  assert.equal(await withTimeout(Promise.resolve("done"), 10_000, wanted().signal), "done");
  await assert.rejects(
    withTimeout(Promise.reject(new Error("no torch")), 10_000, wanted().signal),
    /no torch/,
  );
});

test("what never comes is given up after the limit", async () => {
  await assert.rejects(withTimeout(never, 20, wanted().signal), new TimeoutError("no response after 0.02 s"));
});

test("what is not wanted any more is not waited for, whatever the limit", async () => {
  const later = wanted();
  const waiting = withTimeout(never, 600_000, later.signal);
  later.abort();
  await assert.rejects(waiting, TimeoutError);
  await assert.rejects(withTimeout(never, 600_000, later.signal), TimeoutError);
});

test("work that fails after it was given up disturbs nobody", async () => {
  let fail: (cause: Error) => void = () => undefined;
  const work = new Promise<string>((_, reject) => (fail = reject));
  const unhandled: unknown[] = [];
  const hear = (cause: unknown) => unhandled.push(cause);
  process.on("unhandledRejection", hear);
  await assert.rejects(withTimeout(work, 10, wanted().signal), TimeoutError);
  fail(new Error("too late"));
  await new Promise(setImmediate);
  process.off("unhandledRejection", hear);
  assert.deepEqual(unhandled, []);
});
