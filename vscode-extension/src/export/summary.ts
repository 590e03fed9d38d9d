/** Results of exports in few words, for notifications. */
import type { ExportResult } from "./result";

/** `Net: ok (non-strict), fails in line 12 (strict)`. */
export function summary(results: readonly ExportResult[]): string {
  if (results.length === 0) return "This file has nothing to export.";
  const targets = new Map<string, string[]>();
  for (const result of results) {
    const place = result.row === undefined || result.outcome === "ok" ? "" : ` on line ${result.row}`;
    const verdicts = targets.get(result.target) ?? [];
    verdicts.push(`${result.cancelled ? "cancelled" : result.outcome}${place} (${result.mode})`);
    targets.set(result.target, verdicts);
  }
  return [...targets].map(([target, verdicts]) => `${target}: ${verdicts.join(", ")}`).join("; ");
}

/** Whether every result says that the model exports faithfully. */
export function allFaithful(results: readonly ExportResult[]): boolean {
  return results.every((result) => result.outcome === "ok");
}
