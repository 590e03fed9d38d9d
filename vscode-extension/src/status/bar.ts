/** The status bar item. */
import * as vscode from "vscode";
import type { Interpreters } from "../python/interpreter";
import { messageOf, type Logger } from "../logger";
import type { Session } from "../server/session";
import { modeSetting } from "../settings/configuration";
import { statusItem, type Status } from "./text";

/** The notification `exportdb/status` and the answer of `exportdb.status`. */
interface ServerStatus {
  state?: string | undefined;
  busy?: boolean | undefined;
  message?: string | undefined;
  interpreter?: string | null | undefined;
  torch?: string | null | undefined;
  version?: string | undefined;
}

const COLOURS = {
  none: undefined,
  warning: new vscode.ThemeColor("statusBarItem.warningBackground"),
  error: new vscode.ThemeColor("statusBarItem.errorBackground"),
};

export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    "exportdb.status",
    vscode.StatusBarAlignment.Right,
    90,
  );
  private readonly disposables: { dispose(): unknown }[] = [this.item];
  private server: ServerStatus = {};
  private asked = 0;
  private shown = 0;

  constructor(
    private readonly session: Session,
    private readonly interpreters: Interpreters,
    private readonly log: Logger,
  ) {
    this.item.name = "ExportDB";
    this.item.command = "exportdb.ui.menu";
    this.disposables.push(
      // Another folder may have another interpreter.
      vscode.window.onDidChangeActiveTextEditor(() => void this.ask()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("exportdb")) void this.show();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.show()),
      interpreters.onDidChange(() => void this.ask()),
      session.onDidChangeState(() => {
        this.server = {};
        void this.ask();
      }),
    );
    void this.show();
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  /** The server said how it is. What it says of interpreter and torch holds for the first folder only. */
  received({ state, message, version }: ServerStatus): void {
    this.server = {
      ...this.server,
      ...(state && { state }),
      message: message ?? "",
      ...(version && { version }),
    };
    void this.show();
    void this.ask();
  }

  /** Asks what holds for the file in front; the server also tells by itself whenever something changes. */
  private async ask(): Promise<void> {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const number = ++this.asked;
    if (this.session.state === "running") {
      try {
        const argument = uri?.scheme === "file" ? { uri: uri.toString() } : undefined;
        const answer = (await this.session.execute("exportdb.status", argument)) as ServerStatus | null;
        // An answer that was overtaken is about another file.
        if (number !== this.asked || answer === null) return;
        const { interpreter, torch, version, busy } = answer;
        this.server = { ...this.server, interpreter, torch, version, busy };
      } catch (cause) {
        this.log.warn(`exportdb.status: ${messageOf(cause)}`);
      }
    }
    await this.show();
  }

  async status(): Promise<Status> {
    const scope = vscode.window.activeTextEditor?.document.uri;
    const busy =
      this.server.state === "busy" || (this.server.state === undefined && this.server.busy === true);
    const states: Record<Session["state"], Status["state"]> = {
      stopped: "missing",
      starting: "starting",
      running: this.server.state === "error" ? "error" : busy ? "busy" : "idle",
      waiting: "starting",
      missing: "missing",
      failed: "error",
    };
    return {
      state: states[this.session.state],
      message: this.server.message ?? "",
      interpreter: this.server.interpreter ?? (await this.interpreters.of(scope))?.executable,
      torch: this.server.torch ?? undefined,
      version: this.server.version ?? this.session.version,
      mode: modeSetting(scope),
      trusted: vscode.workspace.isTrusted,
    };
  }

  private async show(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor !== undefined && editor.document.languageId !== "python") {
      this.shown += 1;
      this.item.hide();
      return;
    }
    const number = ++this.shown;
    const item = statusItem(await this.status());
    if (number !== this.shown) return;
    this.item.text = item.text;
    this.item.tooltip = new vscode.MarkdownString(item.tooltip);
    this.item.backgroundColor = COLOURS[item.severity];
    this.item.show();
  }
}
