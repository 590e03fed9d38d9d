/** The status bar item. */
import * as vscode from "vscode";
import type { Interpreters } from "../python/interpreter";
import { messageOf, type Logger } from "../logger";
import type { Session } from "../server/session";
import { modeSetting } from "../settings/configuration";
import { statusItem, type Status } from "./text";

/** The notification `exportdb/status` and the answer of `exportdb.status`. */
interface ServerStatus {
  state?: string;
  busy?: boolean;
  message?: string;
  interpreter?: string | null;
  torch?: string | null;
  version?: string;
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

  constructor(
    private readonly session: Session,
    private readonly interpreters: Interpreters,
    private readonly log: Logger,
  ) {
    this.item.name = "ExportDB";
    this.item.command = "exportdb.ui.menu";
    this.disposables.push(
      vscode.window.onDidChangeActiveTextEditor(() => void this.show()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("exportdb")) void this.show();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.show()),
      interpreters.onDidChange(() => void this.ask()),
      session.onDidChangeState(() => void this.ask()),
    );
    void this.show();
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  /** The server said how it is. */
  received(status: ServerStatus): void {
    this.server = { ...this.server, ...status };
    void this.show();
  }

  /** Asks the server; it also tells by itself whenever something changes. */
  private async ask(): Promise<void> {
    this.server = {};
    if (this.session.state === "running") {
      try {
        this.server = (await this.session.execute("exportdb.status")) ?? {};
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
      this.item.hide();
      return;
    }
    const item = statusItem(await this.status());
    this.item.text = item.text;
    this.item.tooltip = new vscode.MarkdownString(item.tooltip);
    this.item.backgroundColor = COLOURS[item.severity];
    this.item.show();
  }
}
