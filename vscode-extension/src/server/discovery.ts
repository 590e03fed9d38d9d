/**
 * Which `exportdb-lsp` to start: the setting, the selected environment, PATH, the one that came with the extension.
 * Knows nothing of VS Code.
 */
import { isRecent, OLDEST_SERVER, versionIn } from "./version";

export type Origin = "setting" | "environment" | "path" | "bundled";

export interface Candidate {
  origin: Origin;
  command: string;
  args: readonly string[];
}

/** What `--version` came to: what it printed, or why it could not be run. */
export type Probe = { output: string } | { error: string };

export interface Bundled {
  /** What starts it. */
  script: string;
  /** The Pythons that may run it, the best first. */
  interpreters: readonly string[];
}

export interface Surroundings {
  /** The setting `exportdb.path`, variables replaced; empty when unset. */
  setting: string;
  /** The interpreter of the selected environment, if any is known. */
  interpreter: string | undefined;
  /** `exportdb-lsp` as found on PATH. */
  onPath: string | undefined;
  /** The server that came with the extension for this platform, if one did. */
  bundled?: Bundled | undefined;
  probe(candidate: Candidate): Promise<Probe>;
}

export interface Attempt {
  candidate: Candidate;
  problem: string;
  version?: string;
}

export type Discovery =
  | { kind: "found"; candidate: Candidate; version: string; attempts: readonly Attempt[] }
  | { kind: "missing" | "too-old"; attempts: readonly Attempt[] };

/**
 * The places to look at, in order. An explicit setting stands alone: falling back from a path that somebody
 * wrote down to another program would hide the typing error.
 */
export function candidates(
  around: Pick<Surroundings, "setting" | "interpreter" | "onPath" | "bundled">,
): Candidate[] {
  if (around.setting !== "") return [{ origin: "setting", command: around.setting, args: [] }];
  const found: Candidate[] = [];
  if (around.interpreter !== undefined) {
    found.push({ origin: "environment", command: around.interpreter, args: ["-m", "exportdb_lsp"] });
  }
  if (around.onPath !== undefined) found.push({ origin: "path", command: around.onPath, args: [] });
  for (const command of new Set(around.bundled?.interpreters)) {
    found.push({ origin: "bundled", command, args: [around.bundled?.script ?? ""] });
  }
  return found;
}

/** The first candidate that runs and is new enough, with what was wrong with those before it. */
export async function discover(around: Surroundings): Promise<Discovery> {
  const attempts: Attempt[] = [];
  for (const candidate of candidates(around)) {
    const probe = await around.probe(candidate);
    if ("error" in probe) {
      attempts.push({ candidate, problem: probe.error });
      continue;
    }
    const version = versionIn(probe.output);
    if (version === undefined) {
      attempts.push({ candidate, problem: `printed no version: ${firstLine(probe.output)}` });
    } else if (!isRecent(version)) {
      attempts.push({ candidate, problem: `is ${version}, older than ${OLDEST_SERVER}`, version });
    } else {
      return { kind: "found", candidate, version, attempts };
    }
  }
  return { kind: attempts.some((a) => a.version !== undefined) ? "too-old" : "missing", attempts };
}

/** One sentence for the notification. */
export function explain(discovery: Discovery): string {
  if (discovery.kind === "found") return `exportdb-lsp ${discovery.version}`;
  const set = discovery.attempts.find((a) => a.candidate.origin === "setting");
  if (set !== undefined) {
    return `The setting exportdb.path names ${set.candidate.command}, which cannot be used: ${set.problem}.`;
  }
  const own = discovery.attempts.find((a) => a.candidate.origin === "bundled");
  if (own !== undefined) {
    return `The server of this extension cannot be started by ${own.candidate.command}: ${own.problem}. Select an environment with Python 3.10 or newer.`;
  }
  if (discovery.kind === "too-old") {
    const old = discovery.attempts.find((a) => a.version !== undefined);
    return `exportdb-lsp ${old?.version ?? ""} is too old for this extension, which needs ${OLDEST_SERVER}. Upgrade it with: ${installCommand("python")}`;
  }
  return `exportdb-lsp is not installed in the selected Python environment, nor on PATH. Install it with: ${installCommand("python")}`;
}

/** What a person would type. */
export function installCommand(interpreter: string): string {
  const quoted = /\s/.test(interpreter) ? `"${interpreter}"` : interpreter;
  return `${quoted} -m pip install --upgrade exportdb-lsp`;
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}
