/** What `make release` has put into the .vsix of each platform: the extension, and the server with all that it needs. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { unzipSync } from "fflate";

const LIMIT = 30_000_000;
const PYTHONS = ["310", "311", "312", "313", "314"];
/** Python 3.10 says `gnu` on Alpine, too. */
const libc = (python: string) => (python === "310" ? "gnu" : "musl");
/** How the compiled part of libcst is called there. */
const NATIVE: Record<string, (python: string) => string> = {
  "linux-x64": (python) => `native.cpython-${python}-x86_64-linux-gnu.so`,
  "linux-arm64": (python) => `native.cpython-${python}-aarch64-linux-gnu.so`,
  "alpine-x64": (python) => `native.cpython-${python}-x86_64-linux-${libc(python)}.so`,
  "alpine-arm64": (python) => `native.cpython-${python}-aarch64-linux-${libc(python)}.so`,
  "darwin-arm64": (python) => `native.cpython-${python}-darwin.so`,
  "win32-x64": (python) => `native.cp${python}-win_amd64.pyd`,
};

const folder = process.env.EXPORTDB_VSIX;
const names =
  folder === undefined ? [] : readdirSync(folder).filter((name) => /^exportdb-.*\.vsix$/.test(name));

test(
  "the release has a .vsix for each platform",
  { skip: folder === undefined && "no release was built" },
  () => {
    assert.deepEqual(
      names.map((name) => name.replace(/^exportdb-|\.vsix$/g, "")).sort(),
      Object.keys(NATIVE).sort(),
    );
  },
);

for (const name of names) {
  const target = name.replace(/^exportdb-|\.vsix$/g, "");
  test(`${name} holds the server, for every Python`, () => {
    const data = readFileSync(path.join(folder ?? "", name));
    assert.ok(data.length < LIMIT, `${data.length} bytes`);
    const files = unzipSync(data);
    const manifest = Buffer.from(files["extension.vsixmanifest"] ?? []).toString("utf8");
    assert.match(manifest, new RegExp(`TargetPlatform="${target}"`));
    const libs = "extension/bundled/libs";
    for (const file of [
      "extension/dist/extension.js",
      "extension/bundled/run_server.py",
      `${libs}/exportdb_lsp/__main__.py`,
      `${libs}/exportdb_lsp/worker/__main__.py`,
      `${libs}/exportdb_rules/torch_api.json`,
      `${libs}/exportdb_cases/support/2.13.0.json`,
      `${libs}/pygls/__init__.py`,
      ...PYTHONS.map((python) => `${libs}/libcst/${NATIVE[target]?.(python) ?? target}`),
    ]) {
      assert.ok(file in files, file);
    }
    // The licences of what is packed are passed on with it.
    assert.ok(Object.keys(files).some((file) => /libcst-[^/]*\.dist-info\/.*LICENSE/i.test(file)));
    for (const file of Object.keys(files)) {
      assert.ok(!/__pycache__|\/bundled\/libs\/(torch|bin)\//.test(file), file);
    }
  });
}
