/** What the end-to-end tests need besides this folder, and where it is. */
import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { which } from "../../src/server/which";

export interface Prerequisites {
  /** VS Code's own server. */
  vscode: string;
  chromium: string;
  /** The language server under test, the real one. */
  languageServer: string;
  /** An interpreter with torch. */
  interpreter: string;
  vsix: string;
}

/** Everything, or the list of what is missing. */
export function prerequisites(): Prerequisites | { missing: string[] } {
  const cache = process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), ".cache");
  const installed = process.env.EXPORTDB_VSCODE ?? path.join(cache, "exportdb-lsp", "vscode");
  const languageServer = process.env.EXPORTDB_LSP ?? path.resolve("../.venv/bin/exportdb-lsp");
  const found: Prerequisites = {
    vscode: path.join(installed, "node_modules/code-server/lib/vscode/out/server-main.js"),
    chromium: process.env.CHROMIUM ?? which("chromium") ?? "chromium on PATH",
    languageServer,
    interpreter: process.env.EXPORTDB_PYTHON ?? path.join(path.dirname(languageServer), "python"),
    vsix: path.resolve("exportdb.vsix"),
  };
  const cures: Record<keyof Prerequisites, string> = {
    vscode: "VS Code (test/install.sh)",
    chromium: "Chromium (test/install.sh)",
    languageServer: "exportdb-lsp (pip install -e '.[torch]' in ../.venv, or EXPORTDB_LSP)",
    interpreter: "a Python with torch (EXPORTDB_PYTHON)",
    vsix: "exportdb.vsix (npm run package)",
  };
  const missing = (Object.keys(cures) as (keyof Prerequisites)[])
    .filter((name) => !existsSync(found[name]))
    .map((name) => `${cures[name]}: there is no ${found[name]}`);
  if (process.platform !== "linux") missing.unshift("Linux: processes are looked for in /proc");
  return missing.length > 0 ? { missing } : found;
}
