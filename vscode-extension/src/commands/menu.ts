/** The menu of the status bar item. */
import * as vscode from "vscode";

interface Entry extends vscode.QuickPickItem {
  command: string;
}

const EXPORTING: readonly Entry[] = [
  { label: "$(play) Export this model", command: "exportdb.ui.exportModel" },
  { label: "$(run-all) Export all models of this file", command: "exportdb.ui.exportFile" },
  { label: "$(type-hierarchy) Show exported graph", command: "exportdb.ui.showGraph" },
];

const ALWAYS: readonly Entry[] = [
  { label: "$(search) Check workspace", command: "exportdb.ui.checkWorkspace" },
  { label: "$(question) Explain an export error", command: "exportdb.ui.explainError" },
  { label: "$(book) Open rule", command: "exportdb.ui.openRule" },
  { label: "$(clear-all) Clear verdicts", command: "exportdb.ui.clear" },
  { label: "$(snake) Select interpreter", command: "exportdb.ui.selectInterpreter" },
  { label: "$(debug-restart) Restart server", command: "exportdb.ui.restartServer" },
  { label: "$(debug-restart) Restart worker", command: "exportdb.ui.restartWorker" },
  { label: "$(output) Show logs", command: "exportdb.ui.showLogs" },
  { label: "$(bug) Collect a bug report", command: "exportdb.ui.bugReport" },
  { label: "$(settings-gear) Settings", command: "exportdb.ui.settings" },
];

export async function showMenu(): Promise<void> {
  const python = vscode.window.activeTextEditor?.document.languageId === "python";
  const exporting = python && vscode.workspace.isTrusted ? EXPORTING : [];
  const entry = await vscode.window.showQuickPick([...exporting, ...ALWAYS], { title: "torch.export" });
  if (entry !== undefined) await vscode.commands.executeCommand(entry.command);
}
