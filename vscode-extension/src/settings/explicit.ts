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

/**
 * What a setting holds where it has the type that package.json declares, else the default. VS Code underlines another
 * type in settings.json and hands it out all the same; the server says what is wrong with the settings that it gets.
 */
export function textOr(value: unknown, byDefault: string): string {
  return typeof value === "string" ? value : byDefault;
}

/** The same for a list of strings, which is empty by default. One string is a list of one, as it is to the server. */
export function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((item) => typeof item === "string");
}
