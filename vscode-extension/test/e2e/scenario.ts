/** What the scenarios share: one VS Code server, one browser, one window for as long as all goes well. */
import { test } from "node:test";
import type { BrowserContext } from "playwright-core";
import type { CodeServer } from "./code-server";
import { eventually } from "./eventually";
import type { Prerequisites } from "./prerequisites";
import { serverProcesses } from "./processes";
import { openWindow, type Kind } from "./window";
import type { Workbench } from "./workbench";

const TIMEOUT = 240_000;

export interface Wishes {
  window?: Kind;
  /** Called with the folder of a new window before it is opened. */
  prepare?: (folder: string) => void;
}

export class Stage {
  private window: Workbench | undefined;
  private kind: Kind | undefined;
  private opened = 0;

  constructor(
    readonly needs: Prerequisites,
    readonly server: CodeServer,
    /** The windows of one server share what the browser has already loaded of it. */
    readonly browser: BrowserContext,
  ) {}

  /** The window; a new one where there is none of that kind, or where a failed test may have left a mess. */
  async current({ window: kind = "models", prepare }: Wishes): Promise<Workbench> {
    if (this.kind !== kind) await this.forget();
    this.kind = kind;
    this.window ??= await openWindow(kind, this.server, this.browser, String(++this.opened), prepare);
    return this.window;
  }

  /** Closes the window, and waits until all that it started has ended. */
  async forget(): Promise<void> {
    const window = this.window;
    this.window = undefined;
    await window?.close();
    await eventually(
      () => serverProcesses(this.server.root),
      (pids) => pids.length === 0,
      "servers of a window that was closed",
    );
  }
}

/** Declares a test; where it fails, a picture of the window is kept. */
export function scenario(
  stage: () => Stage,
  name: string,
  body: (window: Workbench, stage: Stage) => Promise<void>,
  wishes: Wishes = {},
): void {
  test(name, { timeout: TIMEOUT }, async () => {
    const window = await stage().current(wishes);
    try {
      await body(window, stage());
      await window.tidy();
    } catch (cause) {
      const slug = name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .slice(0, 60);
      await window.shot(`failed-${slug}`);
      console.error(`frames: ${await window.frames()}`);
      console.error(`seen in the status bar: ${(await window.statusSeen()).join(" | ")}`);
      console.error(stage().server.lastWords());
      stage().server.writeSettings({});
      await stage().forget();
      throw cause;
    }
  });
}
