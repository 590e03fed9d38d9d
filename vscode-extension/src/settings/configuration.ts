/** The settings of VS Code, as this extension and the server want them. */
import os from "node:os";
import * as vscode from "vscode";
import { explicitSettings, textOr, textsOf } from "./explicit";
import { isInside, substitute } from "./variables";

export const SECTION = "exportdb";

/** The names of all settings, from package.json, where they are declared. */
export function settingNames(extension: vscode.Extension<unknown>): string[] {
  const manifest = extension.packageJSON as {
    contributes: { configuration: { properties: Record<string, unknown> } };
  };
  return Object.keys(manifest.contributes.configuration.properties).map((name) =>
    name.slice(SECTION.length + 1),
  );
}

/** What somebody set for a file or folder; defaults are left to the server. */
export function serverSettings(
  names: readonly string[],
  scope: vscode.Uri | undefined,
): Record<string, unknown> {
  const configuration = vscode.workspace.getConfiguration(SECTION, scope ?? null);
  return explicitSettings(
    names,
    (name) => configuration.inspect(name),
    (name) => configuration.get(name),
  );
}

/**
 * A setting that names a program, its variables replaced; empty where it is not set.
 *
 * VS Code itself leaves out what an untrusted workspace sets. The user's own setting can still lead into the
 * workspace (`${workspaceFolder}/.venv/bin/python`): such a program is not used either until it is trusted.
 */
export function programSetting(name: "path" | "interpreter", scope: vscode.Uri | undefined): string {
  const value = textOr(setting(name, scope), "");
  const folder =
    (scope && vscode.workspace.getWorkspaceFolder(scope)) ?? vscode.workspace.workspaceFolders?.[0];
  const program = substitute(value, { home: os.homedir(), folder: folder?.uri.fsPath, env: process.env });
  const folders = (vscode.workspace.workspaceFolders ?? []).map((f) => f.uri.fsPath);
  return !vscode.workspace.isTrusted && isInside(program, folders) && program !== "" ? "" : program;
}

/** The export mode that findings are for, as VS Code knows it. */
export function modeSetting(scope: vscode.Uri | undefined): string {
  return textOr(setting("mode", scope), "non-strict");
}

/** What exported programs are taken further to, as VS Code knows it. */
export function goalSetting(scope: vscode.Uri | undefined): string[] {
  return textsOf(setting("to", scope));
}

function setting(name: string, scope: vscode.Uri | undefined): unknown {
  return vscode.workspace.getConfiguration(SECTION, scope ?? null).get(name);
}
