/** What `npm run package` has put into the .vsix. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { before, test } from "node:test";
import { unzipSync } from "fflate";

const LIMIT = 500_000;

let files: Record<string, Uint8Array>;

before(() => {
  files = unzipSync(readFileSync("exportdb.vsix"));
});

function text(name: string): string {
  const file = files[`extension/${name}`];
  assert.ok(file !== undefined, name);
  return Buffer.from(file).toString("utf8");
}

interface Manifest {
  main: string;
  icon: string;
  activationEvents: string[];
  contributes: {
    grammars: { path: string }[];
    walkthroughs: { steps: { media: { markdown: string } }[] }[];
  };
}

test("it holds what is needed, and nothing else", () => {
  assert.deepEqual(Object.keys(files).sort(), [
    "[Content_Types].xml",
    "extension.vsixmanifest",
    "extension/LICENSE.txt",
    "extension/changelog.md",
    "extension/dist/NOTICES.txt",
    "extension/dist/extension.js",
    "extension/media/graph.tmLanguage.json",
    "extension/media/icon.png",
    "extension/media/walkthrough/check.md",
    "extension/media/walkthrough/environment.md",
    "extension/media/walkthrough/export.md",
    "extension/media/walkthrough/graph.md",
    "extension/package.json",
    "extension/readme.md",
  ]);
});

test("every file that its package.json names is there", () => {
  const manifest = JSON.parse(text("package.json")) as Manifest;
  const { grammars, walkthroughs } = manifest.contributes;
  const named = [
    manifest.main,
    manifest.icon,
    ...grammars.map((grammar) => grammar.path),
    ...walkthroughs.flatMap(({ steps }) => steps.map((step) => step.media.markdown)),
  ];
  for (const name of named) assert.ok(`extension/${name.replace(/^\.\//, "")}` in files, name);
});

test("the bundle is small, and has no map of its sources", () => {
  const bundle = text("dist/extension.js");
  assert.ok(bundle.length < LIMIT, `${bundle.length} bytes`);
  assert.ok(!bundle.includes("sourceMappingURL"));
  // What the bundle needs besides: VS Code, and what Node brings along.
  const needed = new Set([...bundle.matchAll(/\brequire\("([^".][^"]*)"\)/g)].map(([, name]) => name ?? ""));
  for (const name of needed) assert.ok(name === "vscode" || isBuiltin(name), name);
});

test("the icon is a PNG of the size that the marketplace wants", () => {
  const icon = Buffer.from(files["extension/media/icon.png"] ?? []);
  assert.equal(icon.subarray(1, 4).toString("latin1"), "PNG");
  assert.deepEqual([icon.readUInt32BE(16), icon.readUInt32BE(20)], [256, 256]);
});

test("the licences of what is bundled are passed on", () => {
  const notices = text("dist/NOTICES.txt");
  for (const name of ["vscode-languageclient", "vscode-jsonrpc", "@vscode/python-extension"]) {
    assert.match(notices, new RegExp(`^${name} \\d`, "m"));
  }
});
