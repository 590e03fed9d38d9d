// Bundles the extension (dist/extension.js), and with --tests the unit and end-to-end tests (out/).
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const production = process.argv.includes("--production");
const tests = process.argv.includes("--tests");
const LIMIT = 500 * 1024;

const shared = {
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  sourcemap: production ? false : "linked",
  logLevel: "warning",
};

await build({
  ...shared,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  external: ["vscode"],
  minify: production,
});
if (production) {
  rmSync("dist/extension.js.map", { force: true });
  const size = statSync("dist/extension.js").size;
  if (size > LIMIT) {
    console.error(`dist/extension.js has ${size} bytes; the limit is ${LIMIT}`);
    process.exit(1);
  }
}

if (tests) {
  rmSync("out", { recursive: true, force: true });
  for (const kind of ["unit", "e2e"]) {
    const folder = path.join("test", kind);
    if (!existsSync(folder)) continue;
    await build({
      ...shared,
      entryPoints: readdirSync(folder)
        .filter((name) => /(\.test|^run)\.ts$/.test(name))
        .map((name) => path.join(folder, name)),
      outdir: path.join("out", kind),
      // `vscode` is not external here: a unit test that reaches it does not build, which keeps the walls up.
      packages: kind === "e2e" ? "external" : "bundle",
    });
  }
}
