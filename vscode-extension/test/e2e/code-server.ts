/** A running VS Code server with the extension installed from its .vsix. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import type { Prerequisites } from "./prerequisites";

const SETTINGS = {
  "chat.disableAIFeatures": true,
  "git.enabled": false,
  "editor.minimap.enabled": false,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "security.workspace.trust.startupPrompt": "never",
  "security.workspace.trust.banner": "never",
  "testing.openTesting": "neverOpen",
  "testing.automaticallyOpenPeekView": "never",
};

export interface Options {
  /** Without workspace trust every workspace counts as trusted. */
  trust: boolean;
  settings?: Record<string, unknown>;
  env?: Record<string, string>;
}

export class CodeServer {
  readonly root: string;
  port = 0;
  private child: ChildProcess | undefined;
  private log = "";

  constructor(
    private readonly needs: Prerequisites,
    private readonly options: Options,
  ) {
    this.root = mkdtempSync(path.join(os.tmpdir(), "exportdb-e2e-"));
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

  /** The process group of VS Code: only its own processes are ever looked for. */
  get group(): number {
    return this.child?.pid ?? 0;
  }

  /** Machine settings: they hold for every workspace of this server, and changes are seen at once. */
  writeSettings(more: Record<string, unknown>): void {
    const folder = path.join(this.root, "data", "data", "Machine");
    mkdirSync(folder, { recursive: true });
    const settings = { ...SETTINGS, ...this.options.settings, ...more };
    writeFileSync(path.join(folder, "settings.json"), JSON.stringify(settings, null, 2));
  }

  /** The newest log of the extension: what it wrote to its output channel. */
  extensionLog(): string {
    const logs = this.root;
    const files = readdirSync(logs, { recursive: true, encoding: "utf8" }).filter(
      (f) => f.endsWith("ExportDB.log") && !f.includes("node_modules"),
    );
    const newest = files
      .map((f) => path.join(logs, f))
      .sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs)
      .at(-1);
    return newest === undefined ? "the extension wrote no log" : readFileSync(newest, "utf8");
  }

  stop(): void {
    if (this.child?.pid !== undefined) {
      try {
        process.kill(-this.child.pid, "SIGKILL");
      } catch {
        // it has ended by itself
      }
    }
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
    const env = { ...process.env, PATH, ...this.options.env, HOME: this.root };
    // Inside a terminal of VS Code this one would talk to the outer one.
    delete (env as NodeJS.ProcessEnv).VSCODE_IPC_HOOK_CLI;
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
