/** One VS Code window, with the gestures that the tests make. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Locator, Page } from "playwright-core";
import type { CodeServer } from "./code-server";
import { eventually, retry } from "./eventually";
import { FIXTURES } from "./fixtures";
import { numbered, ofFolder } from "./title";

/** Where pictures of windows go: those that pages show are renewed by `npm run screenshots` alone. */
const SHOTS = path.resolve("shots");
const PICTURES = path.resolve(process.env.E2E_PICTURES ?? "shots");

export class Workbench {
  private settingsWritten = 0;
  private readonly copies: string[] = [];

  constructor(
    readonly page: Page,
    /** The folder that is open, or the one with the folders of the workspace. */
    readonly folder: string,
    private readonly close_: () => Promise<void>,
  ) {}

  close(): Promise<void> {
    return this.close_();
  }

  // Files.

  /** What is on the disk. */
  read(file: string): string {
    return readFileSync(path.join(this.folder, file), "utf8");
  }

  write(file: string, text: string): void {
    mkdirSync(path.dirname(path.join(this.folder, file)), { recursive: true });
    writeFileSync(path.join(this.folder, file), text);
  }

  remove(file: string): void {
    rmSync(path.join(this.folder, file), { force: true });
  }

  exists(file: string): boolean {
    return existsSync(path.join(this.folder, file));
  }

  /** Saves, and waits until the file on the disk is as expected. */
  async save(file: string, expected: (text: string) => boolean): Promise<string> {
    await this.page.keyboard.press("Control+S");
    return eventually(() => this.read(file), expected, `${file} on the disk`);
  }

  // Settings.

  /** Makes settings of the folder (or of `folder` below it), and waits until the window knows them. */
  async settings(values: Record<string, unknown>, folder = ""): Promise<void> {
    const title = numbered("folder", ++this.settingsWritten);
    // The title of the window tells when it has read the file; folders of several have no say in it.
    const written = folder === "" ? { ...values, "window.title": title } : values;
    this.write(path.join(folder, ".vscode", "settings.json"), JSON.stringify(written));
    if (folder === "") await this.titled(title);
  }

  /** Takes the settings of the folder back. */
  private async forgetSettings(): Promise<void> {
    if (!this.exists(".vscode/settings.json")) return;
    this.remove(".vscode/settings.json");
    await eventually(
      () => this.page.title(),
      (title) => !ofFolder(title),
      "a window whose folder has no settings",
    );
  }

  /** Makes machine settings, and waits until the window knows them. */
  async machineSettings(server: CodeServer, values: Record<string, unknown>): Promise<void> {
    await this.titled(server.writeSettings(values));
  }

  private async titled(title: string): Promise<void> {
    await eventually(
      () => this.page.title(),
      // An extension that is tested where it stands puts a word before it.
      (now) => now.endsWith(title) && now.split("models").length === 2,
      "a window that knows its settings",
    );
  }

  // Gestures.

  /** Runs a command of the palette by its title. */
  async command(title: string): Promise<void> {
    const input = this.page.locator(".quick-input-widget input[type=text]");
    const row = this.page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first();
    await retry(async (soon) => {
      await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("F1");
      await input.waitFor(soon);
      await input.fill(`>${title}`);
      await row.waitFor(soon);
      await row.click(soon);
    });
  }

  /** Chooses a row of the list that a command shows. */
  async pick(text: string | RegExp): Promise<void> {
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first().click();
  }

  /** Opens a file of the workspace by its name. */
  async openFile(file: string): Promise<void> {
    const input = this.page.locator(".quick-input-widget input[type=text]");
    const row = this.page.locator(`.quick-input-list .monaco-list-row.focused[aria-label^="${file}"]`);
    await retry(async (soon) => {
      await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("Control+P");
      await input.waitFor(soon);
      await input.fill(file);
      await row.waitFor(soon);
      await this.page.keyboard.press("Enter");
      await this.inFront(file, soon);
    });
  }

  /** Opens a file where there is no search for files: with a click in the explorer. */
  async openFromExplorer(file: string): Promise<void> {
    const row = this.page.locator(".explorer-folders-view .monaco-list-row", { hasText: file }).first();
    await retry(async (soon) => {
      await row.dblclick(soon);
      await this.inFront(file, soon);
    });
  }

  private async inFront(file: string, soon: { timeout: number }): Promise<void> {
    await this.page.locator(`.tab.active[data-resource-name="${file}"]`).first().waitFor(soon);
  }

  /** Opens a copy of a fixture under a new name, so that a test may edit it. */
  async openCopy(fixture: string, name: string): Promise<void> {
    cpSync(path.join(FIXTURES, fixture), path.join(this.folder, name));
    this.copies.push(name);
    await this.openFile(name);
  }

  /** Puts the cursor at a line and column, both from 1, with the focus in the editor. */
  async goto(line: number, column = 1): Promise<void> {
    const input = this.page.locator(".quick-input-widget input[type=text]");
    const place = this.page.locator("#status\\.editor\\.selection", { hasText: `Ln ${line}, Col ${column}` });
    await retry(async (soon) => {
      await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("Control+G");
      await input.waitFor(soon);
      await input.fill(`:${line}:${column}`);
      await this.page.keyboard.press("Enter");
      await input.waitFor({ state: "hidden", ...soon });
      await place.waitFor(soon);
      await this.focused(soon);
    });
  }

  /** Waits until the focus is in an editor. */
  private async focused(soon: { timeout: number }): Promise<void> {
    await this.page.waitForFunction(
      () => document.activeElement?.closest(".editor-instance") != null,
      undefined,
      soon,
    );
  }

  /** A row of the quick fix menu, which is opened at a place. */
  async quickFixMenu(line: number, column: number, title: string | RegExp): Promise<Locator> {
    const row = this.page.locator(".action-widget .monaco-list-row", { hasText: title }).first();
    await retry(async (soon) => {
      await this.page.keyboard.press("Escape");
      await this.goto(line, column);
      await this.page.keyboard.press("Control+.");
      await row.waitFor(soon);
    });
    return row;
  }

  /** The hover at a place. */
  async hover(line: number, column: number): Promise<Locator> {
    const hover = this.page.locator(".monaco-hover:visible .hover-contents").first();
    await retry(async (soon) => {
      await this.page.keyboard.press("Escape");
      await this.goto(line, column);
      await this.page.keyboard.press("Control+K");
      await this.page.keyboard.press("Control+I");
      await hover.waitFor(soon);
    });
    return this.page.locator(".monaco-hover:visible");
  }

  async showProblems(): Promise<void> {
    const panel = this.page.locator(".markers-panel");
    await retry(async (soon) => {
      if (!(await panel.isVisible())) await this.page.keyboard.press("Control+Shift+M");
      await panel.waitFor(soon);
    });
  }

  // What can be seen.

  /** The rows of the Problems list that contain a text. */
  problems(text: string | RegExp): Locator {
    return this.page.locator(".markers-panel .monaco-list-row", { hasText: text });
  }

  /** The underlined places of the editors that are open. */
  squiggles(): Locator {
    return this.page.locator(".squiggly-error, .squiggly-warning");
  }

  async noSquiggles(when: string): Promise<void> {
    await eventually(
      () => this.squiggles().count(),
      (n) => n === 0,
      `squiggles ${when}`,
    );
  }

  codeLens(text: string | RegExp): Locator {
    return this.page.locator(".codelens-decoration a", { hasText: text });
  }

  /** Waits for the lens that exports in both modes, or for another, and clicks it. */
  async export(text = EXPORT): Promise<void> {
    const lens = this.codeLens(text).first();
    await retry(async (soon) => {
      // VS Code asks for lenses a moment after an editor got the focus, and not at all if that went elsewhere meanwhile:
      // to the list of problems, say.
      await this.page.keyboard.press("Control+1");
      await this.focused(soon);
      await lens.click(soon);
    });
  }

  notification(text: string | RegExp): Locator {
    return this.page.locator(".notification-list-item", { hasText: text });
  }

  /** Waits for a message. A toast hides after ten seconds, which a busy machine may take to come here: the list has it. */
  async message(text: string | RegExp): Promise<Locator> {
    const found = this.notification(text).first();
    await found.waitFor({ timeout: 10_000 }).catch(async () => {
      await this.command("Notifications: Show Notifications");
      await found.waitFor();
    });
    return found;
  }

  statusItem(): Locator {
    return this.page.locator('.statusbar-item[id$="exportdb.status"]');
  }

  /** Waits until the status item says something. */
  async status(text: string | RegExp): Promise<void> {
    await this.statusItem().getByText(text).first().waitFor();
  }

  /** Whether the browser draws: what a window shows may wait for a frame. */
  frames(): Promise<string> {
    return this.page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const began = performance.now();
          setTimeout(() => {
            resolve("none within a second");
          }, 1000);
          requestAnimationFrame(() => {
            resolve(`one after ${Math.round(performance.now() - began)} ms; ${document.visibilityState}`);
          });
        }),
    );
  }

  /** From now on each text of the status bar is remembered, however short it is shown. */
  async watchStatus(): Promise<void> {
    await this.page.evaluate(() => {
      const seen: string[] = [];
      const bar = document.querySelector(".part.statusbar");
      if (bar === null) throw new Error("there is no status bar");
      new MutationObserver(() => {
        const text = [...bar.querySelectorAll(".statusbar-item")].map((item) => item.textContent).join(" ");
        if (seen.at(-1) !== text) seen.push(text);
      }).observe(bar, { subtree: true, childList: true, characterData: true });
      (window as unknown as { statusSeen: string[] }).statusSeen = seen;
    });
  }

  /** What `watchStatus` saw. */
  statusSeen(): Promise<string[]> {
    return this.page.evaluate(() => (window as unknown as { statusSeen?: string[] }).statusSeen ?? []);
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

  // Pictures.

  /** A picture for whoever looks into a failure. */
  async shot(name: string): Promise<void> {
    await this.paint(SHOTS, name);
  }

  /** A picture that a page of the documentation shows. */
  async picture(name: string): Promise<void> {
    await this.paint(PICTURES, name);
  }

  private async paint(folder: string, name: string): Promise<void> {
    mkdirSync(folder, { recursive: true });
    await this.page.screenshot({ path: path.join(folder, `${name}.png`) });
  }

  // The end.

  /** Closes all editors; what was not saved is lost. */
  async closeEditors(): Promise<void> {
    const tabs = this.page.locator(".tabs-container .tab");
    const discard = this.page.locator(".monaco-dialog-box .monaco-button", { hasText: "Don't Save" });
    await retry(async (soon) => {
      await this.page.keyboard.press("Escape");
      if ((await tabs.count()) === 0) return;
      await this.page.keyboard.press("Control+K");
      await this.page.keyboard.press("Control+W");
      await eventually(
        async () => {
          if (await discard.isVisible()) await discard.click(soon);
          return tabs.count();
        },
        (n) => n === 0,
        "open editors",
        soon.timeout,
      );
    });
  }

  /** Leaves no setting, copy, editor, menu or message behind. */
  async tidy(): Promise<void> {
    const panel = this.page.locator(".part.panel");
    await this.closeEditors();
    await retry(async (soon) => {
      if (!(await panel.isVisible())) return;
      await this.page.keyboard.press("Control+J");
      await panel.waitFor({ state: "hidden", ...soon });
    });
    await this.forgetSettings();
    for (const name of this.copies.splice(0)) this.remove(name);
    const bell = this.page.locator("#status\\.notifications .codicon-bell-dot");
    if (await bell.isVisible()) {
      await this.command("Notifications: Clear All Notifications");
      await bell.waitFor({ state: "hidden" });
    }
  }
}

/** The CodeLens that exports in both modes. */
export const EXPORT = /^\s*Export$/;
