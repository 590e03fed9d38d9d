import assert from "node:assert/strict";
import { test } from "node:test";
import {
  candidates,
  discover,
  explain,
  installCommand,
  type Candidate,
  type Probe,
} from "../../src/server/discovery";

const PYTHON = "/envs/torch/bin/python";

function around(probes: Record<string, Probe>, setting = "") {
  const asked: string[] = [];
  return {
    asked,
    setting,
    interpreter: PYTHON,
    onPath: "/usr/bin/exportdb-lsp",
    probe: (candidate: Candidate) => {
      asked.push(candidate.command);
      return Promise.resolve(probes[candidate.command] ?? { error: "there is no such program" });
    },
  };
}

test("the selected environment comes before PATH", () => {
  const found = candidates({ setting: "", interpreter: PYTHON, onPath: "/usr/bin/exportdb-lsp" });
  assert.deepEqual(
    found.map((c) => [c.origin, c.command, ...c.args].join(" ")),
    [`environment ${PYTHON} -m exportdb_lsp`, "path /usr/bin/exportdb-lsp"],
  );
});

test("the setting stands alone: a wrong one is an error, not a reason to start something else", async () => {
  const surroundings = around(
    { "/usr/bin/exportdb-lsp": { output: "exportdb-lsp 0.1.0" } },
    "/typo/exportdb-lsp",
  );
  const discovery = await discover(surroundings);
  assert.equal(discovery.kind, "missing");
  assert.deepEqual(surroundings.asked, ["/typo/exportdb-lsp"]);
  assert.match(explain(discovery), /exportdb\.path names \/typo\/exportdb-lsp.*there is no such program/);
});

test("an environment without the server falls through to PATH, and the attempt is kept for the report", async () => {
  const discovery = await discover(
    around({
      [PYTHON]: { error: "No module named exportdb_lsp" },
      "/usr/bin/exportdb-lsp": { output: "exportdb-lsp, version 0.3.1\n" },
    }),
  );
  assert.equal(discovery.kind === "found" && discovery.version, "0.3.1");
  assert.deepEqual(
    discovery.attempts.map((a) => a.problem),
    ["No module named exportdb_lsp"],
  );
});

const BUNDLED = {
  script: "/extension/bundled/run_server.py",
  interpreters: [PYTHON, "/usr/bin/python3", PYTHON],
};

test("the server of the extension is the last resort, run by the first Python that can", async () => {
  const asked: string[] = [];
  const discovery = await discover({
    setting: "",
    interpreter: PYTHON,
    onPath: undefined,
    bundled: BUNDLED,
    probe: ({ command, args }) => {
      asked.push([command, ...args].join(" "));
      return Promise.resolve(
        command === "/usr/bin/python3" ? { output: "exportdb-lsp 0.1.0" } : { error: "needs Python 3.10" },
      );
    },
  });
  assert.deepEqual(asked, [
    `${PYTHON} -m exportdb_lsp`,
    `${PYTHON} ${BUNDLED.script}`,
    `/usr/bin/python3 ${BUNDLED.script}`,
  ]);
  assert.equal(discovery.kind === "found" && discovery.candidate.origin, "bundled");
});

test("what is installed comes before what came with the extension; a setting stands alone all the same", async () => {
  const probes = { "/usr/bin/exportdb-lsp": { output: "exportdb-lsp 0.1.0" } };
  const found = await discover({ ...around(probes), bundled: BUNDLED });
  assert.equal(found.kind === "found" && found.candidate.origin, "path");
  const wrong = await discover({ ...around({}, "/typo/exportdb-lsp"), bundled: BUNDLED });
  assert.deepEqual(
    wrong.attempts.map((a) => a.candidate.origin),
    ["setting"],
  );
});

test("where no Python can run the server of the extension, the message says what is wanted", async () => {
  const error = { error: "exportdb-lsp needs Python 3.10 or newer, this is 3.9" };
  const discovery = await discover({
    ...around({ [PYTHON]: error, "/usr/bin/python3": error }),
    bundled: BUNDLED,
  });
  assert.match(
    explain(discovery),
    /cannot be started by .*this is 3\.9\. Select an environment with Python 3\.10/,
  );
});

test("a server that is too old is passed over, and named when nothing newer is there", async () => {
  const old = { [PYTHON]: { output: "exportdb-lsp 0.0.9" } };
  const discovery = await discover(around(old));
  assert.equal(discovery.kind, "too-old");
  assert.match(explain(discovery), /0\.0\.9 is too old.*0\.1\.0.*pip install --upgrade exportdb-lsp/);
  const both = await discover(around({ ...old, "/usr/bin/exportdb-lsp": { output: "exportdb-lsp 1.0.0" } }));
  assert.equal(both.kind === "found" && both.candidate.origin, "path");
});

test("a program that prints no version is not a server", async () => {
  const discovery = await discover(around({ [PYTHON]: { output: "hello\nworld" } }));
  assert.equal(discovery.kind, "missing");
  assert.equal(discovery.attempts[0]?.problem, "printed no version: hello");
});

test("nothing anywhere: the message has the command that helps", async () => {
  assert.match(explain(await discover(around({}))), /not installed.*pip install --upgrade exportdb-lsp/);
});

test("the install command can be pasted even where the interpreter's path has a space", () => {
  assert.equal(
    installCommand("/my envs/bin/python"),
    '"/my envs/bin/python" -m pip install --upgrade exportdb-lsp',
  );
});
