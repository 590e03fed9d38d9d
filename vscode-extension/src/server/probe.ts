/** Asks a candidate for its version. */
import type { Candidate, Probe } from "./discovery";
import { run } from "./process";

/** A cold Python on a slow disk reads some hundred files before it can print a version. */
const TIMEOUT = 30_000;

/**
 * `cwd` must not be a folder of the workspace: `python -m` puts the current folder first on its path, and
 * would import an `exportdb_lsp` that lies there.
 */
export async function probe(candidate: Candidate, cwd: string, signal?: AbortSignal): Promise<Probe> {
  const ended = await run({
    command: candidate.command,
    args: [...candidate.args, "--version"],
    cwd,
    timeout: TIMEOUT,
    ...(signal && { signal }),
  });
  if (ended.error !== undefined) return { error: ended.error };
  if (ended.code !== 0) return { error: lastLine(ended.output) || `exit code ${String(ended.code)}` };
  return { output: ended.output };
}

/** Of a Python traceback the last line says what is wrong: `No module named exportdb_lsp`. */
function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.trim() ?? "";
}
