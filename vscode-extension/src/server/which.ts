/** Looks a program up on PATH, as a shell does, but only in absolute folders. */
import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";

/**
 * The full path of `program`, or undefined. A relative entry of PATH (`.`) means another folder in every
 * workspace, and would start a program that the workspace brought along.
 */
export function which(program: string, searchPath: string = process.env.PATH ?? ""): string | undefined {
  const endings = process.platform === "win32" ? [".exe", ".cmd", ".bat"] : [""];
  for (const folder of searchPath.split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue;
    for (const ending of endings) {
      const file = path.join(folder, program + ending);
      if (isProgram(file)) return file;
    }
  }
  return undefined;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
