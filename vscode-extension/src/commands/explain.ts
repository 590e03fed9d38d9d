/** Explains the error of torch.export that is selected, or on the clipboard. */
import * as vscode from "vscode";
import { explanations, describe, type Explanation } from "../export/explanation";
import type { Session } from "../server/session";
import type { RulePages } from "./rule";

export async function explainError(session: Session, rules: RulePages): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const selected = editor?.document.getText(editor.selection) ?? "";
  const text = selected.trim() === "" ? await vscode.env.clipboard.readText() : selected;
  const python = editor?.document.languageId === "python" ? { uri: editor.document.uri.toString() } : {};
  const found = explanations(await session.execute("exportdb.explain", { text, ...python }));
  if (found.length === 0) {
    const where = selected.trim() === "" ? "on the clipboard" : "in the selection";
    throw new Error(`No torch.export error ${where}: copy the whole traceback, including its last lines.`);
  }
  const explanation = found.length === 1 ? found[0] : await pick(found);
  if (explanation !== undefined) await show(explanation, rules);
}

async function pick(found: readonly Explanation[]): Promise<Explanation | undefined> {
  const items = found.map((explanation) => ({ label: describe(explanation), explanation }));
  return (await vscode.window.showQuickPick(items, { title: "Which error?" }))?.explanation;
}

async function show(explanation: Explanation, rules: RulePages): Promise<void> {
  const { place, rule, graphBreak } = explanation;
  if (place !== undefined) {
    const { start, end } = place.range;
    const selection = new vscode.Range(start.line, start.character, end.line, end.character);
    await vscode.window.showTextDocument(vscode.Uri.parse(place.uri), { selection });
  }
  const openRule = rule && `Open ${rule.code}`;
  const openGraphBreak = graphBreak && `Open ${graphBreak.id}`;
  const actions = [openRule, openGraphBreak].filter((action) => action !== undefined);
  const chosen = await vscode.window.showInformationMessage(describe(explanation), ...actions);
  if (chosen === undefined) return;
  if (rule !== undefined && chosen === openRule) await rules.open(rule.code);
  if (graphBreak !== undefined && chosen === openGraphBreak)
    await vscode.env.openExternal(vscode.Uri.parse(graphBreak.url));
}
