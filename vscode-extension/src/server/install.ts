/** What to do when there is no server: tell once, install it, show how. */
import * as vscode from "vscode";
import { messageOf, type Logger } from "../logger";
import type { Interpreters } from "../python/interpreter";
import { explain, installCommand, type Discovery } from "./discovery";
import { run } from "./process";
import type { Session } from "./session";

const INSTALL = "Install into This Environment";
const HOW = "Show How";
const SETTING = "Open Setting";
const TIMEOUT = 10 * 60_000;
const PAGE = "https://exportdb-lsp.github.io/exportdb-lsp/guide/install/";

export class Installer implements vscode.Disposable {
  /** What was said since a server last ran: one that stays missing is not worth a second notification. */
  private lastMessage = "";
  private readonly listener: vscode.Disposable;

  constructor(
    private readonly log: Logger,
    private readonly interpreters: Interpreters,
    private readonly session: Session,
    private readonly cwd: string,
  ) {
    this.listener = session.onDidChangeState((state) => {
      if (state === "running") this.lastMessage = "";
    });
  }

  dispose(): void {
    this.listener.dispose();
  }

  /** The one notification about a missing or too old server. */
  async tell(discovery: Discovery): Promise<void> {
    const message = explain(discovery);
    if (message === this.lastMessage) return;
    this.lastMessage = message;
    const wrongSetting = discovery.attempts.some((a) => a.candidate.origin === "setting");
    // pip runs the environment's own code, which an untrusted workspace may have brought along.
    const cures = wrongSetting ? [SETTING] : vscode.workspace.isTrusted ? [INSTALL, HOW] : [HOW];
    const answer = await vscode.window.showErrorMessage(message, ...cures);
    if (answer === INSTALL) await this.install();
    if (answer === HOW) await this.showHow();
    if (answer === SETTING) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "exportdb.path");
    }
  }

  /** pip install into the selected environment, then starts the server from there. */
  async install(): Promise<void> {
    const interpreter = await this.interpreters.of(vscode.workspace.workspaceFolders?.[0]?.uri);
    if (interpreter === undefined) {
      void vscode.window.showErrorMessage("No Python interpreter found to install exportdb-lsp into.");
      return;
    }
    const command = installCommand(interpreter.executable);
    const ended = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: "Installing exportdb-lsp", cancellable: true },
      (progress, token) => {
        this.log.info(command);
        const abort = new AbortController();
        token.onCancellationRequested(() => {
          abort.abort();
        });
        return run({
          command: interpreter.executable,
          args: ["-m", "pip", "install", "--upgrade", "--disable-pip-version-check", "exportdb-lsp"],
          cwd: this.cwd,
          timeout: TIMEOUT,
          signal: abort.signal,
          onOutput: (text) => {
            this.log.info(text.trimEnd());
            progress.report({ message: text.trim().split("\n").at(-1) ?? "" });
          },
        });
      },
    );
    if (ended.code === 0) {
      await this.session.restart("installed into the selected environment");
      return;
    }
    const why = ended.error ?? ended.output.trim().split("\n").at(-1) ?? `exit code ${String(ended.code)}`;
    const answer = await vscode.window.showErrorMessage(`${command} failed: ${why}`, HOW, "Show Logs");
    if (answer === HOW) await this.showHow();
    if (answer === "Show Logs") this.log.show();
  }

  /** A terminal with the command typed, not yet sent, in trusted workspaces; else the page that explains. */
  private async showHow(): Promise<void> {
    const interpreter = await this.interpreters.of(vscode.workspace.workspaceFolders?.[0]?.uri);
    if (!vscode.workspace.isTrusted || interpreter === undefined) {
      await vscode.env.openExternal(vscode.Uri.parse(PAGE));
      return;
    }
    try {
      const terminal = vscode.window.createTerminal("exportdb-lsp");
      terminal.show();
      terminal.sendText(installCommand(interpreter.executable), false);
    } catch (cause) {
      this.log.error(messageOf(cause));
      await vscode.env.openExternal(vscode.Uri.parse(PAGE));
    }
  }
}
