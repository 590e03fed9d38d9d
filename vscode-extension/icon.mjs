// Draws media/icon.png, which the marketplace wants, from media/icon.svg.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { initWasm, Resvg } from "@resvg/resvg-wasm";

const wasm = createRequire(import.meta.url).resolve("@resvg/resvg-wasm/index_bg.wasm");
await initWasm(readFileSync(wasm));
const image = new Resvg(readFileSync("media/icon.svg", "utf8"), { fitTo: { mode: "width", value: 256 } });
writeFileSync("media/icon.png", image.render().asPng());
