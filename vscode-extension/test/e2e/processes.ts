/** The language servers that one VS Code server has started. */
import { readdirSync, readFileSync } from "node:fs";

/** Process ids, by the home folder that a test's VS Code server gives to all that it starts. */
export function serverProcesses(home: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const args = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        const env = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
        return args.includes("--stdio") && env.includes(`HOME=${home}`);
      } catch {
        return false; // it ended while we looked
      }
    });
}
