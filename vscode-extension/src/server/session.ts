/** The life of the server: found, started, restarted after a crash or a hang, stopped. */
import { existsSync } from "node:fs";
import os from "node:os";
import * as vscode from "vscode";
import { ExecuteCommandRequest, State, type LanguageClient } from "vscode-languageclient/node";
import { messageOf, type Logger } from "../logger";
import type { Interpreter, Interpreters } from "../python/interpreter";
import { programSetting } from "../settings/configuration";
import { mayRun, UntrustedError } from "../trust";
import { Backoff } from "./backoff";
import type { Connection } from "./client";
import { discover, explain, type Attempt, type Discovery } from "./discovery";
import { withTimeout } from "./timeout";
import { probe } from "./probe";
import { which } from "./which";

export type SessionState = "stopped" | "starting" | "running" | "waiting" | "missing" | "failed";

/** Makes the client and the process of a server; starts neither. */
export type Connect = (found: Extract<Discovery, { kind: "found" }>, onClosed: () => void) => Connection;

/** How long finding the server may take: two candidates that do not answer, and a Python extension that loads. */
const FINDING = 120_000;
/** How long a server may take to answer its first request. It imports no torch: seconds, on a busy machine. */
const STARTING = 60_000;
/** How long it may take to say goodbye, and then to end. */
const STOPPING = 5_000;
const ENDING = 2_000;

export class Session implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<SessionState>();
  readonly onDidChangeState = this.changed.event;
  private readonly missing = new vscode.EventEmitter<Discovery>();
  /** No server could be found; somebody should tell the user. */
  readonly onServerNotFound = this.missing.event;

  state: SessionState = "stopped";
  version: string | undefined;
  /** How the last search went, for bug reports. */
  discovery: Discovery | undefined;

  private connection: Connection | undefined;
  private readonly backoff = new Backoff();
  /** Ends the start that is under way. */
  private starting = new AbortController();
  /** Counts restarts and stops: of several that wait in the queue the last one alone is done. */
  private generation = 0;
  private retry: NodeJS.Timeout | undefined;
  /** Starts and stops run one after the other. */
  private queue: Promise<void> = Promise.resolve();
  private disposed = false;

  constructor(
    private readonly log: Logger,
    private readonly interpreters: Interpreters,
    private readonly connect: Connect,
    private readonly safeCwd: string,
    /** What starts the server that came with the extension. */
    private readonly bundled: string | undefined,
  ) {}

  get client(): LanguageClient | undefined {
    return this.connection?.client;
  }

  /** Stops what runs, or is just starting, looks for the server anew and starts it. */
  restart(why: string): Promise<void> {
    this.backoff.reset();
    return this.enqueue(async (wanted) => {
      this.log.info(`starting the server: ${why}`);
      await this.stopNow();
      if (wanted()) await this.startNow();
    });
  }

  stop(): Promise<void> {
    return this.enqueue(() => this.stopNow());
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.retry);
    this.starting.abort();
    this.connection?.process.kill();
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
    let queue;
    do await (queue = this.queue);
    while (queue !== this.queue);
    if (this.client === undefined || this.state !== "running") {
      throw new Error("exportdb-lsp is not running. See the log.");
    }
    const params = { command, arguments: argument === undefined ? [] : [argument] };
    return this.client.sendRequest(ExecuteCommandRequest.type, params, token) as Promise<unknown>;
  }

  /** Tells the server that something changed; it asks for what it needs, folder by folder. */
  async configurationChanged(): Promise<void> {
    if (this.state !== "running") return;
    try {
      await this.client?.sendNotification("workspace/didChangeConfiguration", { settings: null });
    } catch (cause) {
      // It has just ended: the next one asks for its settings anyway.
      this.log.warn(`sending settings to the server: ${messageOf(cause)}`);
    }
  }

  /** Does a step after those before it, unless a later one makes it needless: `wanted` says whether. */
  private enqueue(step: (wanted: () => boolean) => Promise<void>): Promise<void> {
    const generation = ++this.generation;
    const wanted = () => generation === this.generation && !this.disposed;
    clearTimeout(this.retry);
    // A server that hangs while it starts must not keep the next one waiting.
    this.starting.abort();
    this.queue = this.queue
      .then(() => (wanted() ? step(wanted) : undefined))
      .catch((cause: unknown) => {
        this.log.error(messageOf(cause));
      });
    return this.queue;
  }

  private async startNow(): Promise<void> {
    this.setState("starting");
    this.starting = new AbortController();
    const { signal } = this.starting;
    let discovery: Discovery;
    try {
      discovery = await withTimeout(this.find(signal), FINDING, signal);
    } catch (cause) {
      this.log.error(`looking for the server: ${messageOf(cause)}`);
      if (!signal.aborted) this.setState("failed");
      return;
    }
    this.discovery = discovery;
    for (const attempt of discovery.attempts) this.log.warn(describeAttempt(attempt));
    if (discovery.kind === "found") {
      await this.launch(discovery, signal);
      return;
    }
    this.log.error(explain(discovery));
    this.setState("missing");
    this.missing.fire(discovery);
  }

  private async launch(found: Extract<Discovery, { kind: "found" }>, signal: AbortSignal): Promise<void> {
    const { command, args, origin } = found.candidate;
    this.log.info(`server ${found.version} (${origin}): ${[command, ...args].join(" ")}`);
    this.version = found.version;
    const connection = this.connect(found, () => {
      if (this.connection === connection) this.crashed();
    });
    this.connection = connection;
    try {
      await withTimeout(connection.client.start(), STARTING, signal);
      if (connection.client.state !== State.Running) throw new Error("it exited before its first response");
      this.backoff.started(Date.now());
      this.setState("running");
    } catch (cause) {
      this.log.error(`the server did not start: ${messageOf(cause)}`);
      connection.process.kill();
      if (this.connection !== connection) return;
      if (signal.aborted) this.connection = undefined;
      else this.crashed();
    }
  }

  private find(signal: AbortSignal): Promise<Discovery> {
    const scope = vscode.workspace.workspaceFolders?.[0]?.uri;
    return this.interpreters.of(scope).then((interpreter) =>
      discover({
        setting: programSetting("path", scope),
        interpreter: interpreter?.executable,
        onPath: which("exportdb-lsp"),
        bundled:
          this.bundled === undefined
            ? undefined
            : { script: this.bundled, interpreters: pythons(interpreter) },
        probe: (candidate) => probe(candidate, this.safeCwd, signal),
      }),
    );
  }

  private async stopNow(): Promise<void> {
    const connection = this.connection;
    this.connection = undefined;
    this.version = undefined;
    this.setState("stopped");
    if (connection === undefined) return;
    await this.goodbye(connection);
    await connection.process.end(ENDING);
  }

  private async goodbye({ client, process }: Connection): Promise<void> {
    try {
      // Only who has said hello can say goodbye.
      if (client.state === State.Running) await client.dispose(STOPPING);
      else process.kill();
    } catch (cause) {
      this.log.warn(`while stopping the server: ${messageOf(cause)}`);
      process.kill();
    }
  }

  private crashed(): void {
    const connection = this.connection;
    this.connection = undefined;
    connection?.process.kill();
    if (this.disposed) return;
    const { delay, first } = this.backoff.crashed(Date.now());
    if (delay === undefined) {
      this.setState("failed");
      void this.offer("exportdb-lsp crashed repeatedly and will not be restarted.");
      return;
    }
    this.log.warn(`the server crashed; restarting in ${delay / 1000} s`);
    this.setState("waiting");
    if (first) void this.offer("exportdb-lsp crashed and is restarting.");
    this.retry = setTimeout(() => void this.enqueue(() => this.startNow()), delay);
  }

  private async offer(message: string): Promise<void> {
    const restart = "Restart Now";
    const logs = "Show Logs";
    const answer = await vscode.window.showWarningMessage(message, restart, logs);
    if (answer === restart) await this.restart("requested after a crash");
    if (answer === logs) this.log.show();
  }

  private setState(state: SessionState): void {
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

/** The Pythons that there are: the selected one, and those on PATH. */
function pythons(interpreter: Interpreter | undefined): string[] {
  return [interpreter?.executable, which("python3"), which("python")].filter((found) => found !== undefined);
}

/** What starts the server that came with the extension; undefined where it came without one, for any platform. */
export function bundledServer(context: vscode.ExtensionContext): string | undefined {
  const script =
    context.extensionUri.scheme === "file" ? context.asAbsolutePath("bundled/run_server.py") : "";
  return existsSync(script) ? script : undefined;
}

/** A folder for processes that must not see the workspace. */
export function safeCwd(context: vscode.ExtensionContext): string {
  return context.extensionUri.scheme === "file" ? context.extensionUri.fsPath : os.homedir();
}
