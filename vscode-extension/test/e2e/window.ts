/** The kinds of windows that scenarios want, and how each is opened. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { BrowserContext } from "playwright-core";
import type { CodeServer } from "./code-server";
import { PATIENCE, retry } from "./eventually";
import { FIXTURES } from "./fixtures";
import { Workbench } from "./workbench";

const STAND_INS = path.resolve("test/stand-ins");

/**
 * - `models`: one folder, a copy of the fixtures;
 * - `folders`: the folders `one` and `two`, and the stand-in for the Python extension;
 * - `virtual`: a folder that is on no disk.
 */
export type Kind = "models" | "folders" | "virtual";

interface Opened {
  folder: string;
  query: string;
  standIn?: string;
}

const KINDS: Record<Kind, (server: CodeServer, base: string) => Opened> = {
  models: (_, base) => {
    const folder = path.join(base, "models");
    cpSync(FIXTURES, folder, { recursive: true });
    return { folder, query: `folder=${encodeURIComponent(folder)}` };
  },
  folders: (server, base) => {
    for (const name of ["one", "two"]) {
      mkdirSync(path.join(base, name), { recursive: true });
      cpSync(path.join(FIXTURES, "gate.py"), path.join(base, name, `gate_${name}.py`));
    }
    writeFileSync(server.selection, "{}");
    const query = workspace(path.join(base, "both.code-workspace"), [{ path: "one" }, { path: "two" }]);
    return { folder: base, query, standIn: "python" };
  },
  virtual: (server, base) => {
    mkdirSync(server.virtual, { recursive: true });
    cpSync(path.join(FIXTURES, "gate.py"), path.join(server.virtual, "gate_afar.py"));
    // Not through a workspace file: VS Code may wait there for an extension that waits for the workspace.
    const query = `folder=${encodeURIComponent("vscode-vfs://memory/")}`;
    return { folder: base, query, standIn: "virtual" };
  },
};

function workspace(file: string, folders: object[]): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ folders }));
  return `workspace=${encodeURIComponent(file)}`;
}

/** Opens a window of a kind, on fresh copies of the fixtures. */
export async function openWindow(
  kind: Kind,
  server: CodeServer,
  browser: BrowserContext,
  name: string,
  prepare?: (folder: string) => void,
): Promise<Workbench> {
  const { folder, query, standIn } = KINDS[kind](server, path.join(server.root, "workspaces", name));
  prepare?.(folder);
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.addInitScript(drawWithoutFrames);
  const payload = [
    ["skipWelcome", "true"],
    ["skipReleaseNotes", "true"],
  ];
  if (standIn !== undefined) {
    const uri = `vscode-remote://127.0.0.1:${server.port}${path.join(STAND_INS, standIn)}`;
    payload.push(["extensionDevelopmentPath", uri]);
  }
  const address = `http://127.0.0.1:${server.port}/?${query}`;
  const window = new Workbench(page, folder, () => page.close());
  try {
    // On a busy machine VS Code may read a workspace file before it can, and then has no folders: once more.
    await retry(async () => {
      await page.goto(`${address}&payload=${encodeURIComponent(JSON.stringify(payload))}`);
      await page.locator(".monaco-workbench").waitFor();
      await page
        .locator(".explorer-folders-view .monaco-list-row")
        .first()
        .waitFor({ timeout: PATIENCE / 2 });
    }, 4);
  } catch (cause) {
    await window.shot(`failed-window-${kind}`);
    await window.close();
    throw cause;
  }
  return window;
}

/**
 * Runs in the window. VS Code draws lenses and notifications in animation frames, and a headless browser on a busy machine
 * may owe it one for long: what waits for a frame is called by a timer then.
 */
function drawWithoutFrames(): void {
  const frame = window.requestAnimationFrame.bind(window);
  const cancel = window.cancelAnimationFrame.bind(window);
  const timers = new Map<number, number>();
  window.requestAnimationFrame = (draw) => {
    const once = (now: number) => {
      cancel(id);
      clearTimeout(timers.get(id));
      if (timers.delete(id)) draw(now);
    };
    const id = frame(once);
    timers.set(
      id,
      window.setTimeout(() => {
        once(performance.now());
      }, 250),
    );
    return id;
  };
  window.cancelAnimationFrame = (id) => {
    cancel(id);
    clearTimeout(timers.get(id));
    timers.delete(id);
  };
}
