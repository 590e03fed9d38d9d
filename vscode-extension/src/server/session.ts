/** The life of the server: found, started, restarted after a crash, stopped. */
import os from "node:os";
import * as vscode from "vscode";
import { ExecuteCommandRequest, type LanguageClient } from "vscode-languageclient/node";
import { messageOf, type Logger } from "../logger";
import type { Interpreters } from "../python/interpreter";
import { programSetting } from "../settings/configuration";
import { mayRun, UntrustedError } from "../trust";
import { Backoff } from "./backoff";
import { discover, explain, type Attempt, type Discovery } from "./discovery";
import { probe } from "./probe";
import { which } from "./which";

export type SessionState = "stopped" | "starting" | "running" | "waiting" | "missing" | "failed";

export type ClientFactory = (
  found: Extract<Discovery, { kind: "found" }>,
  onClosed: () => void,
) => LanguageClient;

export class Session implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<SessionState>();
  readonly onDidChangeState = this.changed.event;
  private readonly missing = new vscode.EventEmitter<Discovery>();
  /** No server could be found; somebody should tell the user. */
  readonly onDidMiss = this.missing.event;

  state: SessionState = "stopped";
  client: LanguageClient | undefined;
  version: string | undefined;
  /** How the last search went, for bug reports. */
  discovery: Discovery | undefined;

  private readonly backoff = new Backoff();
  private retry: NodeJS.Timeout | undefined;
  /** Starts and stops run one after the other. */
  private queue: Promise<void> = Promise.resolve();
  private disposed = false;

  constructor(
    private readonly log: Logger,
    private readonly interpreters: Interpreters,
    private readonly createClient: ClientFactory,
    private readonly neutralFolder: string,
  ) {}

  /** Stops what runs, looks for the server anew and starts it. */
  restart(why: string): Promise<void> {
    this.backoff.reset();
    return this.enqueue(async () => {
      this.log.info(`starting the server: ${why}`);
      await this.stopNow();
      await this.startNow();
    });
  }

  stop(): Promise<void> {
    return this.enqueue(() => this.stopNow());
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.retry);
    this.changed.dispose();
    this.missing.dispose();
  }

  /**
   * Asks the server to run one of its commands.
   *
   * @throws UntrustedError where the command would run code of an untrusted workspace
   * @throws Error with the server's own message, or where no server runs
   */
  async execute(command: string, argument?: object, token?: vscode.CancellationToken): Promise<unknown> {
    if (!mayRun(command)) throw new UntrustedError();
    await this.queue;
    if (this.client === undefined || this.state !== "running") {
      throw new Error("exportdb-lsp does not run; the log says why.");
    }
    const params = { command, arguments: argument === undefined ? [] : [argument] };
    return this.client.sendRequest(ExecuteCommandRequest.type, params, token) as Promise<unknown>;
  }

  /** Tells the server that something changed; it asks for what it needs, folder by folder. */
  async configurationChanged(): Promise<void> {
    if (this.state === "running") {
      await this.client?.sendNotification("workspace/didChangeConfiguration", { settings: null });
    }
  }

  private enqueue(step: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(step).catch((cause: unknown) => {
      this.log.error(messageOf(cause));
    });
    return this.queue;
  }

  private async startNow(): Promise<void> {
    if (this.disposed) return;
    this.become("starting");
    const discovery = await this.find();
    this.discovery = discovery;
    for (const attempt of discovery.attempts) this.log.warn(describeAttempt(attempt));
    if (discovery.kind !== "found") {
      this.log.error(explain(discovery));
      this.become("missing");
      this.missing.fire(discovery);
      return;
    }
    const { command, args, origin } = discovery.candidate;
    this.log.info(`server ${discovery.version} (${origin}): ${[command, ...args].join(" ")}`);
    this.version = discovery.version;
    const client = this.createClient(discovery, () => {
      if (this.client === client) this.crashed();
    });
    this.client = client;
    try {
      await client.start();
      this.backoff.started(Date.now());
      this.become("running");
    } catch (cause) {
      this.log.error(`the server did not start: ${messageOf(cause)}`);
      if (this.client === client) this.crashed();
    }
  }

  private find(): Promise<Discovery> {
    const scope = vscode.workspace.workspaceFolders?.[0]?.uri;
    return this.interpreters.of(scope).then((interpreter) =>
      discover({
        setting: programSetting("path", scope),
        interpreter: interpreter?.executable,
        onPath: which("exportdb-lsp"),
        probe: (candidate) => probe(candidate, this.neutralFolder),
      }),
    );
  }

  private async stopNow(): Promise<void> {
    clearTimeout(this.retry);
    const client = this.client;
    this.client = undefined;
    this.version = undefined;
    this.become("stopped");
    if (client === undefined) return;
    try {
      await client.dispose(5_000);
    } catch (cause) {
      // It may have crashed already, or be too busy to say goodbye; its process is killed either way.
      this.log.warn(`while stopping the server: ${messageOf(cause)}`);
    }
  }

  private crashed(): void {
    const client = this.client;
    this.client = undefined;
    void client?.dispose().catch(() => undefined);
    if (this.disposed) return;
    const { delay, first } = this.backoff.crashed(Date.now());
    if (delay === undefined) {
      this.become("failed");
      void this.offer("exportdb-lsp stopped several times in a row and is left stopped.");
      return;
    }
    this.log.warn(`the server stopped; it is started again in ${delay / 1000} s`);
    this.become("waiting");
    if (first) void this.offer("exportdb-lsp stopped unexpectedly and is being started again.");
    this.retry = setTimeout(() => void this.enqueue(() => this.startNow()), delay);
  }

  private async offer(message: string): Promise<void> {
    const restart = "Restart Now";
    const logs = "Show Logs";
    const answer = await vscode.window.showWarningMessage(message, restart, logs);
    if (answer === restart) await this.restart("asked for after a crash");
    if (answer === logs) this.log.show();
  }

  private become(state: SessionState): void {
    if (this.disposed || this.state === state) return;
    this.state = state;
    this.changed.fire(state);
  }
}

/** One line about a server that was not taken. */
export function describeAttempt(attempt: Attempt): string {
  const { command, args, origin } = attempt.candidate;
  return `not used (${origin}): ${[command, ...args].join(" ")}: ${attempt.problem}`;
}

/** A folder for processes that must not see the workspace. */
export function neutralFolder(context: vscode.ExtensionContext): string {
  return context.extensionUri.scheme === "file" ? context.extensionUri.fsPath : os.homedir();
}
