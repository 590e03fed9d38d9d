/** Pictures are taken by the end-to-end tests, and shown by pages: none is made by hand, none is left over. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const PAGES = ["README.md", "../docs/guide/vscode.md"];

const committed = readdirSync("screenshots").map((name) => path.basename(name, ".png"));
const shown = new Set(
  PAGES.flatMap((page) =>
    [
      ...readFileSync(page, "utf8").matchAll(/\]\((?:screenshots|\.\.\/assets\/vscode)\/([\w-]+)\.png\)/g),
    ].map(([, name]) => name ?? ""),
  ),
);
const taken = new Set(
  readdirSync("test/e2e").flatMap((file) =>
    [...readFileSync(path.join("test/e2e", file), "utf8").matchAll(/\.picture\("([\w-]+)"\)/g)].map(
      ([, name]) => name ?? "",
    ),
  ),
);

test("every picture that a page shows is taken by a test, and is there", () => {
  for (const name of shown) {
    assert.ok(taken.has(name), `no test takes ${name}`);
    assert.ok(committed.includes(name), `there is no screenshots/${name}.png: npm run screenshots`);
  }
  assert.ok(shown.size >= 5);
});

test("every picture that is kept is shown somewhere", () => {
  assert.deepEqual(
    committed.filter((name) => !shown.has(name)),
    [],
  );
  assert.deepEqual(
    [...taken].filter((name) => !shown.has(name)),
    [],
  );
});
