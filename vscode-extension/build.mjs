// Bundles the extension (dist/extension.js), and with --tests its tests (out/).
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const production = process.argv.includes("--production");
const tests = process.argv.includes("--tests");
const LIMIT = 500_000;

/** The licences of the packages that are part of the bundle, which ask to be passed on with it. */
function notices(inputs) {
  const folders = new Set(inputs.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
      const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
      if (licence === undefined) throw new Error(`${name} is bundled and has no licence file`);
      return `${name} ${version}\n\n${readFileSync(path.join(folder, licence), "utf8").trim()}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}

const shared = {
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  sourcemap: production ? false : "linked",
  logLevel: "warning",
};

const { metafile } = await build({
  ...shared,
  metafile: true,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  external: ["vscode"],
  minify: production,
});
if (production) {
  rmSync("dist/extension.js.map", { force: true });
  writeFileSync("dist/NOTICES.txt", notices(Object.keys(metafile.inputs)));
  const size = statSync("dist/extension.js").size;
  if (size > LIMIT) {
    console.error(`dist/extension.js has ${size} bytes; the limit is ${LIMIT}`);
    process.exit(1);
  }
}

if (tests) {
  rmSync("out", { recursive: true, force: true });
  for (const kind of ["unit", "package", "e2e"]) {
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
