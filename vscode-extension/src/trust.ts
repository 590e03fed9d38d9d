/** What an untrusted workspace may ask for. */
import * as vscode from "vscode";

/**
 * Server commands that run nothing of the workspace. A list of what is allowed, not of what is forbidden: a
 * command that a newer server brings is refused until somebody has thought about it.
 */
const HARMLESS = new Set([
  "exportdb.checkWorkspace",
  "exportdb.clear",
  "exportdb.rule",
  "exportdb.status",
  "exportdb.targets",
]);

export class UntrustedError extends Error {
  constructor() {
    super("This workspace is not trusted, so its code is not run. Trust it to export its models.");
  }
}

/** Whether a server command may be sent now. */
export function mayRun(command: string): boolean {
  return vscode.workspace.isTrusted || HARMLESS.has(command);
}

/** Says why nothing happened, and offers the way out. */
export async function refuse(): Promise<void> {
  const manage = "Manage Workspace Trust";
  const answer = await vscode.window.showWarningMessage(new UntrustedError().message, manage);
  if (answer === manage) await vscode.commands.executeCommand("workbench.trust.manage");
}
