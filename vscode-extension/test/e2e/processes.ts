/** The processes that one VS Code server has started. */
import { readdirSync, readFileSync } from "node:fs";

/**
 * Language servers, by the home folder that a test's VS Code server gives to all that it starts. Of a program that
 * starts another one only the outer counts.
 */
export function serverProcesses(home: string): number[] {
  const pids = processes(home);
  return pids.filter((pid) => !pids.includes(parent(pid)));
}

function parent(pid: number): number {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return 0;
  }
}

function processes(home: string): number[] {
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

/** Whether a process is there and not only waits to be reaped. */
export function runs(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
