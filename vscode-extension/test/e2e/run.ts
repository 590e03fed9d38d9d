/** The end-to-end tests: the built .vsix in a real VS Code, with the real server, seen on the screen. */
import { after, before, describe, test } from "node:test";
import { chromium, type Browser } from "playwright-core";
import { CodeServer } from "./code-server";
import { diagnostics } from "./diagnostics";
import { environments } from "./environments";
import { explorer } from "./explorer";
import { exports } from "./exports";
import { fixes } from "./fixes";
import { folders } from "./folders";
import { life } from "./life";
import { prerequisites, type Prerequisites } from "./prerequisites";
import { Stage } from "./scenario";
import { trust } from "./trust";

/** Stops what still runs when somebody ends the tests. */
const stops: (() => void)[] = [];
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    for (const stop of stops) stop();
    process.exit(1);
  });
}

const needs = prerequisites();
if ("missing" in needs) {
  const text = `The end-to-end tests did NOT run. Missing:\n${needs.missing.map((m) => `  - ${m}`).join("\n")}`;
  if (process.env.E2E_REQUIRED !== undefined) throw new Error(text);
  const line = "!".repeat(80);
  console.error(`\n${line}\n${text}\n${line}\n`);
  test("the extension in a real VS Code", { skip: needs.missing.join("; ") });
} else {
  all(needs);
}

function all(found: Prerequisites): void {
  const settings = { "exportdb.path": found.languageServer, "exportdb.interpreter": found.interpreter };
  suite("trusted", found, { trust: false, settings }, (stage) => {
    diagnostics(stage);
    fixes(stage);
    exports(stage);
    explorer(stage);
    life(stage);
    environments(stage);
    folders(stage);
  });
  suite("untrusted", found, { trust: true, settings }, trust);
}

function suite(
  name: string,
  found: Prerequisites,
  options: ConstructorParameters<typeof CodeServer>[1],
  scenarios: (stage: () => Stage) => void,
): void {
  describe(name, () => {
    let stage: Stage | undefined;
    let browser: Browser | undefined;
    const server = new CodeServer(found, options);
    stops.push(() => {
      server.stop();
    });
    before(
      async () => {
        await server.start();
        browser = await chromium.launch({
          executablePath: found.chromium,
          args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
        });
        stage = new Stage(
          found,
          server,
          await browser.newContext({ viewport: { width: 1280, height: 800 } }),
        );
      },
      { timeout: 180_000 },
    );
    after(async () => {
      await browser?.close();
      server.stop();
    });
    scenarios(() => {
      if (stage === undefined) throw new Error("VS Code did not start");
      return stage;
    });
  });
}
