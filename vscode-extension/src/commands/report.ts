/** Opens a bug report that is filled in as far as the extension knows. */
import os from "node:os";
import * as vscode from "vscode";
import type { Logger } from "../logger";
import { bugReport } from "../report/text";
import { describeAttempt, type Session } from "../server/session";
import { serverSettings } from "../settings/configuration";
import type { StatusBar } from "../status/bar";

export async function openBugReport(
  context: vscode.ExtensionContext,
  session: Session,
  status: StatusBar,
  log: Logger,
  settingNames: readonly string[],
): Promise<void> {
  const now = await status.status();
  const manifest = context.extension.packageJSON as { version: string };
  const text = bugReport({
    versions: {
      "ExportDB extension": manifest.version,
      "exportdb-lsp": now.version ?? `none (${session.state})`,
      torch: now.torch ?? "none",
      Python: now.interpreter ?? "none",
      "VS Code": `${vscode.version} (${vscode.env.appName}, ${vscode.env.remoteName ?? "local"})`,
      system: `${os.platform()} ${os.release()} ${os.arch()}`,
      workspace: `${vscode.workspace.isTrusted ? "trusted" : "not trusted"}, ${
        vscode.workspace.workspaceFolders?.length ?? 0
      } folders`,
    },
    settings: serverSettings(settingNames, vscode.window.activeTextEditor?.document.uri),
    attempts: [
      ...(session.discovery?.attempts.map(describeAttempt) ?? []),
      session.discovery?.kind === "found"
        ? `used (${session.discovery.candidate.origin}): ${session.discovery.candidate.command}`
        : "not found",
    ],
    log: log.recent.all(),
    home: os.homedir(),
  });
  const document = await vscode.workspace.openTextDocument({ language: "markdown", content: text });
  await vscode.window.showTextDocument(document);
}
