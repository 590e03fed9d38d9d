/** Which Python interpreter a file belongs to. */
import { PythonExtension } from "@vscode/python-extension";
import * as vscode from "vscode";
import { messageOf, type Logger } from "../logger";
import { programSetting } from "../settings/configuration";
import { withTimeout } from "../server/timeout";
import { which } from "../server/which";

const PYTHON_EXTENSION = "ms-python.python";
/** How long it may take to load and to look at an environment. Nobody is helped by a server that waits for ever. */
const PATIENCE = 30_000;

export interface Interpreter {
  executable: string;
  origin: "Python extension" | "setting" | "PATH";
}

/** The Python extension's selection, else `exportdb.interpreter`, else `python3`. */
export class Interpreters implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** The selection of the Python extension changed. */
  readonly onDidChange = this.changed.event;
  private readonly disposables: { dispose(): unknown }[] = [this.changed];
  private connected = false;
  private readonly life = new AbortController();
  private python: Promise<PythonExtension | undefined> | undefined;

  constructor(private readonly log: Logger) {
    this.disposables.push(
      // The Python extension may be installed, enabled or trusted later.
      vscode.extensions.onDidChange(() => {
        if (this.connected || vscode.extensions.getExtension(PYTHON_EXTENSION) === undefined) return;
        this.python = undefined;
        this.changed.fire();
      }),
    );
  }

  dispose(): void {
    this.life.abort();
    vscode.Disposable.from(...this.disposables).dispose();
  }

  /** The interpreter for a file or folder, or undefined where there is none at all. */
  async of(scope: vscode.Uri | undefined): Promise<Interpreter | undefined> {
    const selected = await this.selected(scope);
    if (selected !== undefined) return { executable: selected, origin: "Python extension" };
    const set = programSetting("interpreter", scope);
    if (set !== "") return { executable: set, origin: "setting" };
    const found = which("python3") ?? which("python");
    return found === undefined ? undefined : { executable: found, origin: "PATH" };
  }

  private async selected(scope: vscode.Uri | undefined): Promise<string | undefined> {
    // It does not run in an untrusted workspace, where it would have nothing to tell anyway.
    if (!vscode.workspace.isTrusted || vscode.extensions.getExtension(PYTHON_EXTENSION) === undefined) {
      return undefined;
    }
    this.python ??= this.connect();
    const api = await this.python;
    if (api === undefined) return undefined;
    try {
      const path = api.environments.getActiveEnvironmentPath(scope);
      const environment = await withTimeout(
        api.environments.resolveEnvironment(path),
        PATIENCE,
        this.life.signal,
      );
      return environment?.executable.uri?.fsPath;
    } catch (cause) {
      this.log.warn(`the Python extension did not return the selected interpreter: ${messageOf(cause)}`);
      return undefined;
    }
  }

  private async connect(): Promise<PythonExtension | undefined> {
    try {
      const api = await withTimeout(PythonExtension.api(), PATIENCE, this.life.signal);
      this.disposables.push(
        api.environments.onDidChangeActiveEnvironmentPath((event) => {
          this.log.info(`the Python extension selected ${event.path}`);
          this.changed.fire();
        }),
      );
      this.connected = true;
      return api;
    } catch (cause) {
      this.log.warn(`the Python extension did not respond: ${messageOf(cause)}`);
      return undefined;
    }
  }
}

/** Lets the user choose: with the Python extension's own picker, else in the settings. */
export async function selectInterpreter(): Promise<void> {
  if (vscode.extensions.getExtension(PYTHON_EXTENSION) !== undefined) {
    await vscode.commands.executeCommand("python.setInterpreter");
  } else {
    await vscode.commands.executeCommand("workbench.action.openSettings", "exportdb.interpreter");
  }
}
