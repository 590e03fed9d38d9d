/** Which settings somebody really made. */

/** What VS Code knows of one setting, most special place last. */
export interface Inspection {
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
  globalLanguageValue?: unknown;
  workspaceLanguageValue?: unknown;
  workspaceFolderLanguageValue?: unknown;
}

/** Settings of the extension that are no business of the server. */
const OURS = new Set(["path", "trace.server"]);

/**
 * The settings that stand in some settings.json, by name. Defaults are left out: sent to the server they would
 * outrank what `[tool.exportdb]` of pyproject.toml says.
 */
export function explicitSettings(
  names: readonly string[],
  inspect: (name: string) => Inspection | undefined,
  value: (name: string) => unknown,
): Record<string, unknown> {
  const explicit: Record<string, unknown> = {};
  for (const name of names) {
    if (OURS.has(name)) continue;
    const found = inspect(name);
    if (found !== undefined && isSet(found)) explicit[name] = value(name);
  }
  return explicit;
}

function isSet(inspection: Inspection): boolean {
  return [
    inspection.globalValue,
    inspection.workspaceValue,
    inspection.workspaceFolderValue,
    inspection.globalLanguageValue,
    inspection.workspaceLanguageValue,
    inspection.workspaceFolderLanguageValue,
  ].some((value) => value !== undefined);
}
