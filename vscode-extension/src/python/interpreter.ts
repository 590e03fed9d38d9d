/** Which Python interpreter a file belongs to. */
import { PythonExtension } from "@vscode/python-extension";
import * as vscode from "vscode";
import { messageOf, type Logger } from "../logger";
import { programSetting } from "../settings/configuration";
import { which } from "../server/which";

const PYTHON_EXTENSION = "ms-python.python";

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
  private python: Promise<PythonExtension | undefined> | undefined;

  constructor(private readonly log: Logger) {
    this.disposables.push(
      // The Python extension may be installed, enabled or trusted later.
      vscode.extensions.onDidChange(() => {
        if (vscode.extensions.getExtension(PYTHON_EXTENSION) === undefined) return;
        if (this.python === undefined) this.changed.fire();
      }),
    );
  }

  dispose(): void {
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
    this.python ??= this.connect();
    const api = await this.python;
    if (api === undefined) {
      this.python = undefined;
      return undefined;
    }
    const environment = await api.environments.resolveEnvironment(
      api.environments.getActiveEnvironmentPath(scope),
    );
    return environment?.executable.uri?.fsPath;
  }

  private async connect(): Promise<PythonExtension | undefined> {
    // It does not run in an untrusted workspace, where it would have nothing to tell anyway.
    if (!vscode.workspace.isTrusted || vscode.extensions.getExtension(PYTHON_EXTENSION) === undefined) {
      return undefined;
    }
    try {
      const api = await PythonExtension.api();
      this.disposables.push(
        api.environments.onDidChangeActiveEnvironmentPath((event) => {
          this.log.info(`the Python extension selected ${event.path}`);
          this.changed.fire();
        }),
      );
      return api;
    } catch (cause) {
      this.log.warn(`the Python extension does not answer: ${messageOf(cause)}`);
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
