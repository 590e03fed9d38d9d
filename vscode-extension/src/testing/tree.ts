/** The items of the Test Explorer: file, then model, then mode. */
import * as vscode from "vscode";
import { MODES, type Mode } from "../export/result";
import type { Target } from "../export/target";

export interface Leaf {
  uri: vscode.Uri;
  name: string;
  mode: Mode;
}

export class TestTree {
  private readonly leaves = new WeakMap<vscode.TestItem, Leaf>();

  constructor(private readonly controller: vscode.TestController) {}

  leaf(item: vscode.TestItem): Leaf | undefined {
    return this.leaves.get(item);
  }

  /** All leaves at and under an item. */
  leavesUnder(item: vscode.TestItem): vscode.TestItem[] {
    if (this.leaves.has(item)) return [item];
    const found: vscode.TestItem[] = [];
    item.children.forEach((child) => found.push(...this.leavesUnder(child)));
    return found;
  }

  allLeaves(): vscode.TestItem[] {
    const found: vscode.TestItem[] = [];
    this.controller.items.forEach((item) => found.push(...this.leavesUnder(item)));
    return found;
  }

  /** The item of one model in one mode, where the tree has it. */
  find(uri: vscode.Uri, name: string, mode: Mode): vscode.TestItem | undefined {
    const model = this.file(uri)?.children.get(modelId(uri, name));
    return model?.children.get(leafId(uri, name, mode));
  }

  file(uri: vscode.Uri): vscode.TestItem | undefined {
    return this.controller.items.get(uri.toString());
  }

  /** Makes the items of a file those of its targets. Items that stay keep their results. */
  update(uri: vscode.Uri, targets: readonly Target[]): void {
    if (targets.length === 0) {
      this.controller.items.delete(uri.toString());
      return;
    }
    let file = this.file(uri);
    if (file === undefined) {
      file = this.controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
      this.controller.items.add(file);
    }
    const wanted = new Set(targets.map((target) => modelId(uri, target.name)));
    const gone: string[] = [];
    file.children.forEach((child) => {
      if (!wanted.has(child.id)) gone.push(child.id);
    });
    for (const id of gone) file.children.delete(id);
    for (const target of targets) this.updateModel(file, uri, target);
  }

  private updateModel(file: vscode.TestItem, uri: vscode.Uri, target: Target): void {
    const id = modelId(uri, target.name);
    // From the line with the name, where the arrow stands, to the end: "run at cursor" works anywhere inside.
    const { end } = target.range;
    const range = new vscode.Range(target.selectionRange.start.line, 0, end.line, end.character);
    let model = file.children.get(id);
    if (model === undefined) {
      model = this.controller.createTestItem(id, target.label ?? target.name, uri);
      file.children.add(model);
      for (const mode of MODES) {
        const item = this.controller.createTestItem(leafId(uri, target.name, mode), mode, uri);
        this.leaves.set(item, { uri, name: target.name, mode });
        model.children.add(item);
      }
    }
    model.range = range;
    if (target.source === undefined) delete model.description;
    else model.description = `inputs: ${target.source}`;
    // Alphabetical order would put `strict` where people look for the default.
    model.children.forEach((item) => {
      item.range = range;
      item.sortText = String(MODES.findIndex((mode) => mode === item.label));
    });
  }
}

function modelId(uri: vscode.Uri, name: string): string {
  return `${uri.toString()}::${name}`;
}

function leafId(uri: vscode.Uri, name: string, mode: Mode): string {
  return `${modelId(uri, name)}::${mode}`;
}
