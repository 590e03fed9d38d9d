/** Exports that somebody asks for in the editor. */
import * as vscode from "vscode";
import { exportResults, MODES, type Mode } from "../export/result";
import { allFaithful, summary } from "../export/summary";
import { exportTargets, targetAt, type Target } from "../export/target";
import type { ServerCommands } from "../server/commands";
import type { Session } from "../server/session";
import { goalSetting } from "../settings/configuration";

export class ExportCommands {
  constructor(
    private readonly session: Session,
    private readonly commands: ServerCommands,
  ) {}

  /** The model around the cursor, in every mode. */
  async exportModel(): Promise<void> {
    const found = await this.targetAtCursor();
    if (found !== undefined)
      await this.export({ uri: found.uri.toString(), name: found.target.name, modes: MODES });
  }

  async exportFile(): Promise<void> {
    const uri = pythonEditor().document.uri;
    await this.export({ uri: uri.toString(), modes: MODES });
  }

  async showGraph(): Promise<void> {
    const found = await this.targetAtCursor();
    if (found === undefined) return;
    const mode = await pickMode();
    if (mode === undefined) return;
    const choice = await pickProgram(goalSetting(found.uri));
    if (choice === undefined) return;
    const argument = { uri: found.uri.toString(), name: found.target.name, mode, goal: choice.goal };
    await this.run("exportdb.showGraph", argument);
  }

  async writeInputs(): Promise<void> {
    const found = await this.targetAtCursor();
    if (found === undefined) return;
    await this.run("exportdb.writeInputs", { uri: found.uri.toString(), name: found.target.name });
  }

  /** Also tells those who follow exports: the Test Explorer. */
  private async run(command: string, argument: object): Promise<unknown> {
    const answer = await this.session.execute(command, argument);
    await this.commands.tell(command, [argument], answer);
    return answer;
  }

  private async export(argument: object): Promise<void> {
    const results = exportResults(await this.run("exportdb.export", argument));
    // Who cancelled it, or typed on, knows.
    if (results.length > 0 && results.every((result) => result.cancelled)) return;
    const show = allFaithful(results)
      ? vscode.window.showInformationMessage
      : vscode.window.showWarningMessage;
    void show(summary(results));
  }

  private async targetAtCursor(): Promise<{ uri: vscode.Uri; target: Target } | undefined> {
    const editor = pythonEditor();
    const uri = editor.document.uri;
    const targets = exportTargets(await this.session.execute("exportdb.targets", { uri: uri.toString() }));
    if (targets.length === 0) throw new Error("This file has nothing to export.");
    const target = targetAt(targets, editor.selection.active.line) ?? (await pickTarget(targets));
    return target && { uri, target };
  }
}

function pythonEditor(): vscode.TextEditor {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== "python") throw new Error("Open a Python file with a model first.");
  return editor;
}

async function pickTarget(targets: readonly Target[]): Promise<Target | undefined> {
  const items = targets.map((target) => ({ label: target.label ?? target.name, target }));
  return (await vscode.window.showQuickPick(items, { title: "Which model?" }))?.target;
}

/** Which program's graph: the exported one, or what a goal of the settings makes of it. */
async function pickProgram(goals: readonly string[]): Promise<{ label: string; goal?: string } | undefined> {
  const exported = { label: "The exported program" };
  if (goals.length === 0) return exported;
  const items = [exported, ...goals.map((goal) => ({ label: goal, goal }))];
  return vscode.window.showQuickPick(items, { title: "Which program?" });
}

async function pickMode(): Promise<Mode | undefined> {
  return (await vscode.window.showQuickPick([...MODES], { title: "Which export mode?" })) as Mode | undefined;
}
