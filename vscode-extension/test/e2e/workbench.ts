/** One VS Code window, with the gestures that the tests make. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import type { CodeServer } from "./code-server";

const FIXTURES = path.resolve("test/fixtures/workspace");
const SHOTS = path.resolve(process.env.E2E_SCREENSHOTS ?? "shots");
const WIDTH = 1280;
const HEIGHT = 800;

/** A wait that is long enough for a cold `import torch` on a busy machine. Tests end as soon as they can. */
export const PATIENCE = Number(process.env.E2E_PATIENCE ?? 60) * 1000;

export class Workbench {
  private constructor(
    readonly page: Page,
    readonly folder: string,
    private readonly close_: () => Promise<void>,
  ) {}

  /** Opens a window on a fresh copy of the fixtures. */
  static async open(server: CodeServer, browser: Browser, name: string): Promise<Workbench> {
    const folder = path.join(server.root, "workspaces", name, "models");
    cpSync(FIXTURES, folder, { recursive: true });
    const context = await browser.newContext({ viewport: { width: WIDTH, height: HEIGHT } });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const payload = JSON.stringify([
      ["skipWelcome", "true"],
      ["skipReleaseNotes", "true"],
    ]);
    const query = `folder=${encodeURIComponent(folder)}&payload=${encodeURIComponent(payload)}`;
    await page.goto(`http://127.0.0.1:${server.port}/?${query}`);
    await page.locator(".monaco-workbench").waitFor();
    await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor();
    return new Workbench(page, folder, () => context.close());
  }

  /** Opens a copy of a fixture under a new name, so that a test may edit it. */
  async openCopy(fixture: string, name: string): Promise<void> {
    cpSync(path.join(FIXTURES, fixture), path.join(this.folder, name));
    await this.openFile(name);
  }

  /** Leaves no editor, menu or message behind. */
  async tidy(): Promise<void> {
    await this.page.keyboard.press("Escape");
    if (await this.page.locator(".part.panel").isVisible())
      await this.command("View: Toggle Panel Visibility");
    await this.command("View: Close All Editors");
    const discard = this.page.locator(".monaco-dialog-box .monaco-button", { hasText: "Don't Save" });
    const tabs = this.page.locator(".tabs-container .tab");
    await eventually(
      async () => {
        if (await discard.isVisible()) await discard.click();
        return tabs.count();
      },
      (n) => n === 0,
      "open editors",
    );
    await this.command("Notifications: Clear All Notifications");
  }

  close(): Promise<void> {
    return this.close_();
  }

  /** What is on the disk. */
  read(file: string): string {
    return readFileSync(path.join(this.folder, file), "utf8");
  }

  write(file: string, text: string): void {
    mkdirSync(path.dirname(path.join(this.folder, file)), { recursive: true });
    writeFileSync(path.join(this.folder, file), text);
  }

  exists(file: string): boolean {
    return existsSync(path.join(this.folder, file));
  }

  async shot(name: string): Promise<void> {
    mkdirSync(SHOTS, { recursive: true });
    await this.page.screenshot({ path: path.join(SHOTS, `${name}.png`) });
  }

  /** Runs a command of the palette by its title. */
  async command(title: string): Promise<void> {
    const input = this.page.locator(".quick-input-widget input[type=text]");
    const row = this.page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first();
    await retry(async () => {
      await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("F1");
      await input.waitFor({ timeout: 3_000 });
      await input.fill(`>${title}`);
      await row.waitFor({ timeout: 5_000 });
      await row.click({ timeout: 3_000 });
    });
  }

  /** Opens another file of the workspace. */
  async openFile(file: string): Promise<void> {
    const input = this.page.locator(".quick-input-widget input[type=text]");
    const row = this.page.locator(`.quick-input-list .monaco-list-row.focused[aria-label^="${file}"]`);
    await retry(async () => {
      await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("Control+P");
      await input.waitFor({ timeout: 5_000 });
      await input.fill(file);
      await row.waitFor({ timeout: 10_000 });
      await this.page.keyboard.press("Enter");
      await this.page
        .locator(`.tab.active[data-resource-name="${file}"]`)
        .first()
        .waitFor({ timeout: 10_000 });
    });
  }

  /** Puts the cursor at a line and column, both from 1, with the focus in the editor. */
  async goto(line: number, column = 1): Promise<void> {
    const input = this.page.locator(".quick-input-widget input[type=text]");
    await retry(async () => {
      await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("Control+G");
      await input.waitFor({ timeout: 3_000 });
      await input.fill(`:${line}:${column}`);
      await this.page.keyboard.press("Enter");
      await input.waitFor({ state: "hidden", timeout: 3_000 });
      await this.focusInEditor();
    });
  }

  async focusInEditor(): Promise<void> {
    await this.page.waitForFunction(
      () => document.activeElement?.closest(".editor-instance") != null,
      undefined,
      { timeout: 3_000 },
    );
  }

  /** The rows of the Problems list that contain a text. */
  problems(text: string | RegExp): Locator {
    return this.page.locator(".markers-panel .monaco-list-row", { hasText: text });
  }

  async showProblems(): Promise<void> {
    if (!(await this.page.locator(".markers-panel").isVisible())) {
      await this.page.keyboard.press("Control+Shift+M");
    }
    await this.page.locator(".markers-panel").waitFor();
  }

  /** A row of the quick fix menu, which is opened where the cursor is. */
  async quickFixMenu(line: number, column: number, title: string | RegExp): Promise<Locator> {
    const row = this.page.locator(".action-widget .monaco-list-row", { hasText: title }).first();
    await retry(async () => {
      await this.page.keyboard.press("Escape");
      await this.goto(line, column);
      await this.page.keyboard.press("Control+.");
      await row.waitFor({ timeout: 5_000 });
    });
    return row;
  }

  /** The underlined places of the editors that are open. */
  squiggles(): Locator {
    return this.page.locator(".squiggly-error, .squiggly-warning");
  }

  codeLens(text: string | RegExp): Locator {
    return this.page.locator(".codelens-decoration a", { hasText: text });
  }

  notification(text: string | RegExp): Locator {
    return this.page.locator(".notification-list-item", { hasText: text });
  }

  statusItem(): Locator {
    return this.page.locator('.statusbar-item[id$="exportdb.status"]');
  }

  /** The text of the editor that is in front, as far as it is visible. */
  async editorText(): Promise<string> {
    const lines = await this.page.locator(".editor-group-container.active .view-line").all();
    const placed = await Promise.all(
      lines.map(async (line) => ({
        top: await line.evaluate((element) => (element as HTMLElement).offsetTop),
        text: ((await line.textContent()) ?? "").replaceAll("\u00a0", " "),
      })),
    );
    return placed
      .sort((a, b) => a.top - b.top)
      .map((line) => line.text)
      .join("\n");
  }

  /** Saves, and waits until the file on the disk is as expected. */
  async save(file: string, expected: (text: string) => boolean): Promise<void> {
    await this.page.keyboard.press("Control+S");
    await eventually(() => this.read(file), expected, `${file} on the disk`);
  }
}

/** The CodeLens that exports in both modes. */
export const EXPORT = /^\s*Export$/;

/** Repeats a whole gesture: focus may jump while the workbench settles. */
export async function retry<T>(gesture: () => Promise<T>, times = 6): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await gesture();
    } catch (cause) {
      if (attempt === times) throw cause;
    }
  }
}

/** Waits until something holds; says what was the case instead. */
export async function eventually<T>(
  value: () => T | Promise<T>,
  holds: (value: T) => boolean,
  what: string,
  patience: number = PATIENCE,
): Promise<T> {
  const end = Date.now() + patience;
  for (;;) {
    const now = await value();
    if (holds(now)) return now;
    if (Date.now() > end) throw new Error(`${what}: still ${JSON.stringify(now)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
