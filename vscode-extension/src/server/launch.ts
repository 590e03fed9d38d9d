/** The process of a server, in our own hands: a client cannot end one that has not answered its first request. */
import { spawn, type ChildProcess } from "node:child_process";

export class ServerProcess {
  private child: ChildProcess | undefined;

  constructor(
    private readonly command: string,
    private readonly args: readonly string[],
    private readonly cwd: string,
  ) {}

  /** Starts it. Rejects where there is no such program, or it may not be run. */
  readonly start = (): Promise<ChildProcess> =>
    new Promise((resolve, reject) => {
      const child = spawn(this.command, [...this.args], { cwd: this.cwd });
      this.child = child;
      child.once("spawn", () => {
        resolve(child);
      });
      child.once("error", reject);
    });

  /** Waits until it has ended by itself; after `grace` milliseconds it is killed. */
  async end(grace: number): Promise<void> {
    const { child } = this;
    if (child === undefined || ended(child)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.kill();
      }, grace);
      child.once("exit", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Ends it at once, whatever it does. */
  kill(): void {
    if (this.child !== undefined && !ended(this.child)) this.child.kill("SIGKILL");
  }
}

function ended(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}
