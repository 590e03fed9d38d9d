import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { ServerProcess } from "../../src/server/launch";
import { probe } from "../../src/server/probe";
import { run } from "../../src/server/process";
import { which } from "../../src/server/which";

let folder = "";

before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "exportdb-unit-"));
});
after(() => {
  rmSync(folder, { recursive: true });
});

function program(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

const candidate = (command: string) => ({ origin: "setting" as const, command, args: [] });

test("a program is found in absolute folders of PATH only, and only if it can be run", () => {
  const file = program("found", "true");
  writeFileSync(path.join(folder, "text"), "");
  mkdirSync(path.join(folder, "directory"));
  const PATH = [".", "relative", "/nowhere", folder].join(path.delimiter);
  assert.equal(which("found", PATH), file);
  assert.equal(which("text", PATH), undefined);
  assert.equal(which("directory", PATH), undefined);
  const relative = path.relative(process.cwd(), folder);
  assert.equal(which("found", relative), undefined);
});

test("a probe says what the program printed", async () => {
  assert.deepEqual(await probe(candidate(program("good", 'echo "exportdb-lsp 0.1.0 $1"')), folder), {
    output: "exportdb-lsp 0.1.0 --version\n",
  });
});

test("a probe of a program that fails gives the last line of its traceback", async () => {
  const failing = program("failing", 'echo Traceback >&2; echo "No module named exportdb_lsp" >&2; exit 1');
  assert.deepEqual(await probe(candidate(failing), folder), { error: "No module named exportdb_lsp" });
  assert.deepEqual(await probe(candidate(program("silent", "exit 3")), folder), { error: "exit code 3" });
  assert.deepEqual(await probe(candidate(path.join(folder, "absent")), folder), {
    error: "no such program",
  });
});

test("a program that hangs is ended", async () => {
  const ended = await run({ command: "sleep", args: ["60"], cwd: folder, timeout: 50 });
  assert.equal(ended.code, null);
  assert.equal(ended.error, "no response after 0.05 s");
});

test("a program that hangs is not waited for, even if what it started keeps its output open", async () => {
  const wrapper = program("wrapper", "sleep 5 & wait");
  const ended = await run({ command: wrapper, args: [], cwd: folder, timeout: 200 });
  assert.equal(ended.error, "no response after 0.2 s");
});

test("a probe that nobody wants any more ends at once", async () => {
  const abort = new AbortController();
  const asked = probe(candidate(program("hanging", "exec sleep 60")), folder, abort.signal);
  abort.abort();
  assert.ok("error" in (await asked));
});

test("a server that hangs is killed; one that ends by itself is not", async () => {
  const deaf = new ServerProcess(program("deaf", "trap '' TERM; exec sleep 60"), [], folder);
  const child = await deaf.start();
  await deaf.end(50);
  assert.equal(child.signalCode, "SIGKILL");
  const polite = new ServerProcess(program("polite", "read line; exit 0"), [], folder);
  const other = await polite.start();
  other.stdin?.end();
  await polite.end(60_000);
  assert.equal(other.exitCode, 0);
  await polite.end(60_000); // it has ended: nothing to wait for
  polite.kill();
});

test("a server that is not there is an error that says so", async () => {
  const absent = new ServerProcess(path.join(folder, "absent"), [], folder);
  await assert.rejects(absent.start(), /ENOENT/);
  await absent.end(60_000);
  absent.kill();
});
