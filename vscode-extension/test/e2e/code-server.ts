/** A running VS Code server with the extension installed from its .vsix. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import type { Prerequisites } from "./prerequisites";
import { numbered } from "./title";

const SETTINGS = {
  "chat.disableAIFeatures": true,
  "git.enabled": false,
  "editor.minimap.enabled": false,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "testing.openTesting": "neverOpen",
  "testing.automaticallyOpenPeekView": "never",
};

export interface Options {
  /** Without workspace trust every workspace counts as trusted. */
  trust: boolean;
  settings?: Record<string, unknown>;
}

export class CodeServer {
  readonly root: string;
  port = 0;
  private child: ChildProcess | undefined;
  private log = "";
  private written = 0;

  constructor(
    private readonly needs: Prerequisites,
    private readonly options: Options,
  ) {
    this.root = mkdtempSync(path.join(os.tmpdir(), "exportdb-e2e-"));
  }

  /** What the stand-in for the Python extension reads: folder name -> interpreter. */
  get selection(): string {
    return path.join(this.root, "selection.json");
  }

  /** The folder that the stand-in for a virtual workspace serves. */
  get virtual(): string {
    return path.join(this.root, "virtual");
  }

  /** Where pip, in this VS Code, finds packages: nowhere else. */
  get wheels(): string {
    return path.join(this.root, "wheels");
  }

  async start(): Promise<void> {
    this.writeSettings({});
    await this.node([...this.folders(), "--install-extension", this.needs.vsix]);
    this.port = await freePort();
    const args = [this.needs.vscode, ...this.folders(), "--host", "127.0.0.1", "--port", String(this.port)];
    args.push("--without-connection-token", "--telemetry-level", "off");
    if (!this.options.trust) args.push("--disable-workspace-trust");
    // Its own process group: the extension host, and the servers that the extension starts, end with it.
    this.child = spawn(process.execPath, args, { env: this.env(), detached: true });
    this.child.stdout?.on("data", (data: Buffer) => (this.log += data.toString()));
    this.child.stderr?.on("data", (data: Buffer) => (this.log += data.toString()));
    for (let attempt = 0; ; attempt++) {
      try {
        await fetch(`http://127.0.0.1:${this.port}/version`);
        return;
      } catch {
        if (attempt > 300 || this.child.exitCode !== null)
          throw new Error(`VS Code did not start:\n${this.log}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  /**
   * Writes machine settings: they hold for every workspace of this server. Gives the title that windows have as
   * soon as they know of them.
   */
  writeSettings(more: Record<string, unknown>): string {
    const title = numbered("machine", ++this.written);
    const folder = path.join(this.root, "data", "data", "Machine");
    mkdirSync(folder, { recursive: true });
    const settings = { ...SETTINGS, ...this.options.settings, ...more, "window.title": title };
    writeFileSync(path.join(folder, "settings.json"), JSON.stringify(settings, null, 2));
    return title;
  }

  /** What VS Code's server printed: the last words of an extension host are there. */
  lastWords(): string {
    return this.log.split("\n").slice(-40).join("\n");
  }

  stop(): void {
    if (this.child?.pid !== undefined) {
      try {
        process.kill(-this.child.pid, "SIGKILL");
      } catch {
        // it has ended by itself
      }
    }
    if (process.env.E2E_KEEP === undefined)
      rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }

  private folders(): string[] {
    return [
      "--server-data-dir",
      path.join(this.root, "data"),
      "--extensions-dir",
      path.join(this.root, "extensions"),
      "--accept-server-license-terms",
    ];
  }

  private env(): NodeJS.ProcessEnv {
    // The server is found where the settings say; one that happens to be on PATH must not help.
    const own = path.dirname(this.needs.languageServer);
    const PATH = (process.env.PATH ?? "")
      .split(path.delimiter)
      .filter((folder) => path.resolve(folder) !== own)
      .join(path.delimiter);
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      PATH,
      HOME: this.root,
      PIP_NO_INDEX: "1",
      PIP_FIND_LINKS: this.wheels,
      PIP_NO_COMPILE: "1",
      EXPORTDB_E2E_SELECTION: this.selection,
      EXPORTDB_E2E_VIRTUAL: this.virtual,
    };
    // Inside a terminal of VS Code this one would talk to the outer one.
    delete env.VSCODE_IPC_HOOK_CLI;
    return env;
  }

  private node(args: string[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [this.needs.vscode, ...args], { env: this.env() });
      let output = "";
      child.stdout.on("data", (data: Buffer) => (output += data.toString()));
      child.stderr.on("data", (data: Buffer) => (output += data.toString()));
      child.on("close", (code) => {
        if (code === 0) resolve();
        else reject(new Error(output));
      });
    });
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}
