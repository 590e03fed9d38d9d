/** What the scenarios share: one VS Code server, one browser, one window for as long as all goes well. */
import { test } from "node:test";
import type { Browser } from "playwright-core";
import type { CodeServer } from "./code-server";
import type { Prerequisites } from "./prerequisites";
import { Workbench } from "./workbench";

const TIMEOUT = 240_000;

export class Stage {
  private window: Workbench | undefined;
  private opened = 0;

  constructor(
    readonly needs: Prerequisites,
    readonly server: CodeServer,
    readonly browser: Browser,
  ) {}

  /** The window; a new one where there is none, or where a failed test may have left a mess. */
  async current(): Promise<Workbench> {
    this.window ??= await Workbench.open(this.server, this.browser, String(++this.opened));
    return this.window;
  }

  async forget(): Promise<void> {
    const window = this.window;
    this.window = undefined;
    await window?.close();
  }
}

/** Declares a test; where it fails, a picture of the window and the extension's log are kept. */
export function scenario(
  stage: () => Stage,
  name: string,
  body: (window: Workbench, stage: Stage) => Promise<void>,
): void {
  test(name, { timeout: TIMEOUT }, async () => {
    const window = await stage().current();
    try {
      await body(window, stage());
      await window.tidy();
    } catch (cause) {
      const slug = name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .slice(0, 60);
      await window.shot(`failed-${slug}`);
      console.error(stage().server.extensionLog());
      await stage().forget();
      throw cause;
    }
  });
}
