/** The variables that people write into paths of settings. */
import path from "node:path";

export interface Values {
  home: string;
  /** The folder that the setting is read for. */
  folder: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

/** Replaces a leading `~`, `${workspaceFolder}`, `${userHome}` and `${env:NAME}`; an unknown one stays as it is. */
export function substitute(text: string, values: Values): string {
  const replaced = text
    .trim()
    .replace(/^~(?=$|[/\\])/, values.home)
    .replaceAll("${userHome}", values.home)
    .replace(/\$\{env:([^}]+)\}/g, (whole, name: string) => values.env[name] ?? whole)
    .replaceAll("${workspaceFolder}", values.folder ?? "${workspaceFolder}");
  if (replaced === "" || path.isAbsolute(replaced) || !/[/\\]/.test(replaced)) return replaced;
  return values.folder === undefined ? replaced : path.resolve(values.folder, replaced);
}

/** Whether `file` lies in one of `folders`: in an untrusted workspace such a program is not started. */
export function isInside(file: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const relative = path.relative(folder, file);
    return relative === "" || (!relative.startsWith("..") && !path.isAbsolute(relative));
  });
}
