/** Runs a short program and waits for it. */
import { spawn } from "node:child_process";

export interface Run {
  command: string;
  args: readonly string[];
  cwd: string;
  /** Milliseconds after which it is killed. */
  timeout: number;
  /** Called with each piece of what it prints, on either stream. */
  onOutput?: (text: string) => void;
  signal?: AbortSignal;
}

export interface Ended {
  code: number | null;
  /** Standard output and standard error, in the order they came. */
  output: string;
  /** Why there is no exit code: it could not be started, took too long, was killed. */
  error?: string;
}

/** Never rejects: a program that cannot be started is an `Ended` with an `error`. */
export function run(request: Run): Promise<Ended> {
  return new Promise((resolve) => {
    let output = "";
    let error: string | undefined;
    const child = spawn(request.command, [...request.args], {
      cwd: request.cwd,
      stdio: ["ignore", "pipe", "pipe"],
      ...(request.signal && { signal: request.signal }),
    });
    const timer = setTimeout(() => {
      error = `no response after ${request.timeout / 1000} s`;
      child.kill("SIGKILL");
      // What the program itself has started may keep the pipes open for long: `close` is not waited for.
      end(null);
    }, request.timeout);
    const take = (data: Buffer) => {
      const text = data.toString();
      output += text;
      request.onOutput?.(text);
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    const end = (code: number | null) => {
      clearTimeout(timer);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ code, output, ...(error !== undefined && { error }) });
    };
    child.on("error", (cause: NodeJS.ErrnoException) => {
      error ??= cause.code === "ENOENT" ? "no such program" : cause.message;
      end(null);
    });
    child.on("close", (code, signal) => {
      if (code === null) error ??= `killed by ${signal ?? "a signal"}`;
      end(code);
    });
  });
}
