/** The language client: which documents, which settings, what happens around the server's commands. */
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  State,
  type LanguageClientOptions,
  type Middleware,
} from "vscode-languageclient/node";
import { messageOf, type Logger } from "../logger";
import type { Interpreters } from "../python/interpreter";
import { decorate } from "../lens/decorate";
import { SECTION, serverSettings } from "../settings/configuration";
import type { Candidate } from "./discovery";
import { ServerProcess } from "./launch";

/**
 * Where documents that people edit come from. Others (the old side of a comparison, a chat's proposal) are
 * not checked: nobody can act on what would be marked in them.
 */
const SCHEMES = ["file", "untitled", "vscode-notebook-cell", "vscode-vfs", "vscode-test-web", "vsls"];

export interface ClientParts {
  log: Logger;
  interpreters: Interpreters;
  settingNames: readonly string[];
  /** The files whose changes the server wants to hear of. */
  watchers: readonly vscode.FileSystemWatcher[];
  /** Around commands that the server registered, when VS Code runs one (a CodeLens, a code action). */
  executeCommand: NonNullable<Middleware["executeCommand"]>;
  cwd: string;
}

/** A server and the client that talks to it. */
export interface Connection {
  client: LanguageClient;
  process: ServerProcess;
}

/** The client writes its errors to the log; what people are told, once, is the session's business. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  /** After a failed start the client stops itself, which fails in turn where there was no connection yet. */
  override stop(timeout?: number): Promise<void> {
    return this.state === State.Running ? super.stop(timeout) : Promise.resolve();
  }
}

/** Neither is started yet. `onClosed`: the connection ended without having been asked to. */
export function connect(parts: ClientParts, candidate: Candidate, onClosed: () => void): Connection {
  const options: LanguageClientOptions = {
    documentSelector: SCHEMES.map((scheme) => ({ scheme, language: "python" })),
    outputChannel: parts.log.channel,
    synchronize: {
      fileEvents: [...parts.watchers],
    },
    initializationFailedHandler: (cause: unknown) => {
      parts.log.error(`initialize: ${messageOf(cause)}`);
      return false;
    },
    initializationOptions: { trusted: vscode.workspace.isTrusted, showsGraphs: true, showsStatus: true },
    diagnosticPullOptions: { onChange: true, onSave: true },
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        onClosed();
        // The session starts a new client itself, later each time.
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
    middleware: {
      provideCodeLenses: async (document, token, next) => {
        const lenses = (await next(document, token)) ?? [];
        // What the server has yet to resolve stays the client's own object, which knows what to ask for.
        return decorate(lenses).map((lens) =>
          lens instanceof vscode.CodeLens ? lens : new vscode.CodeLens(lens.range, lens.command),
        );
      },
      executeCommand: parts.executeCommand,
      workspace: {
        // The session tells the server itself: only it knows whether the server is about to be restarted.
        didChangeConfiguration: () => Promise.resolve(),
        configuration: (params) =>
          Promise.all(
            params.items.map(async (item) => {
              if (item.section !== SECTION) return null;
              const scope = item.scopeUri === undefined ? undefined : vscode.Uri.parse(item.scopeUri);
              return configuration(parts, scope);
            }),
          ),
      },
    },
  };
  const process = new ServerProcess(candidate.command, [...candidate.args, "--stdio"], parts.cwd);
  return { client: new QuietClient(SECTION, "ExportDB", process.start, options), process };
}

/** What the server gets to know for a folder: what people set, and the interpreter that is selected. */
async function configuration(
  parts: ClientParts,
  scope: vscode.Uri | undefined,
): Promise<Record<string, unknown>> {
  const settings = serverSettings(parts.settingNames, scope);
  const interpreter = await parts.interpreters.of(scope);
  if (interpreter !== undefined && interpreter.origin !== "PATH") {
    settings.interpreter = interpreter.executable;
  } else if (typeof settings.interpreter === "string") {
    // `python3` on PATH is the last resort, weaker than what pyproject.toml or a .venv in the project say.
    // A setting that is no string stays: the server says what is wrong with it.
    delete settings.interpreter;
  }
  return settings;
}
