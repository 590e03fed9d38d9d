/** What the Test Explorer says of a result. Knows nothing of VS Code. */
import type { ExportResult } from "../export/result";

export interface TestOutcome {
  /** `errored`: nothing was learned about export. */
  state: "passed" | "failed" | "errored";
  message: string;
  /** Where to show it: a file, and a row from 1. */
  place: { filename: string; row: number } | undefined;
  /** Both sides of a `diverges`, for the comparison view. */
  expected: string | undefined;
  actual: string | undefined;
}

const UNTRIED = new Set(["no-inputs", "not-rebuilt", "no-tools", "eager-error"]);

/** One result as the outcome of one test. */
export function testOutcome(result: ExportResult): TestOutcome {
  const difference = result.difference;
  return {
    state: result.outcome === "ok" ? "passed" : UNTRIED.has(result.outcome) ? "errored" : "failed",
    message: [
      `${result.outcome}: ${result.message}`,
      ...result.hints.map((hint) => `Hint: ${hint}`),
      ...stack(result),
    ].join("\n"),
    place:
      result.row === undefined || result.rowFilename === undefined
        ? undefined
        : { filename: result.rowFilename, row: result.row },
    expected: difference && side("eager", difference.eager, difference.detail),
    actual: difference && side("exported", difference.exported, difference.detail),
  };
}

/** The way to the failing line, where it is more than that line. */
function stack(result: ExportResult): string[] {
  if (result.frames.length < 2) return [];
  return result.frames.map((frame) => `  ${frame.filename}:${frame.row}  ${frame.code.trim()}`);
}

/** One short line: VS Code writes both beside the failing line, as "actual != expected". */
function side(who: "eager" | "exported", value: string | undefined, detail: string): string {
  return `${who}: ${value ?? (who === "eager" ? "another value" : detail)}`;
}
