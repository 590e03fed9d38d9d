/** The page of a rule, in VS Code's Markdown preview. */
import * as vscode from "vscode";
import type { Session } from "../server/session";

const SCHEME = "exportdb-rule";

export class RulePages implements vscode.TextDocumentContentProvider {
  private readonly pages = new Map<string, string>();

  constructor(private readonly session: Session) {}

  register(): vscode.Disposable {
    return vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.pages.get(uri.path) ?? "";
  }

  /** Without a code: the one at the cursor, else one of the file's, else the one that is typed. */
  async open(code?: string): Promise<void> {
    const wanted = code ?? (await pickCode());
    if (wanted === undefined) return;
    await this.show(wanted, await this.session.execute("exportdb.rule", { code: wanted }));
  }

  /** Shows an answer of `exportdb.rule`. */
  async show(code: string, answer: unknown): Promise<void> {
    const markdown = (answer as { markdown?: unknown } | null | undefined)?.markdown;
    if (typeof markdown !== "string" || markdown === "") throw new Error(`No rule ${code}.`);
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${code}.md` });
    this.pages.set(uri.path, markdown);
    await vscode.commands.executeCommand("markdown.showPreview", uri);
  }
}

async function pickCode(): Promise<string | undefined> {
  const editor = vscode.window.activeTextEditor;
  const diagnostics = editor === undefined ? [] : vscode.languages.getDiagnostics(editor.document.uri);
  const codes = new Map<string, string>();
  for (const diagnostic of diagnostics) {
    const code = codeOf(diagnostic);
    if (code === undefined) continue;
    if (editor !== undefined && diagnostic.range.contains(editor.selection.active)) return code;
    codes.set(code, diagnostic.message);
  }
  if (codes.size === 0) {
    return vscode.window.showInputBox({ title: "Open rule", prompt: "A rule code or name, such as EDB101" });
  }
  const items = [...codes].map(([label, detail]) => ({ label, detail }));
  return (await vscode.window.showQuickPick(items, { title: "Open rule" }))?.label;
}

function codeOf(diagnostic: vscode.Diagnostic): string | undefined {
  const code = typeof diagnostic.code === "object" ? diagnostic.code.value : diagnostic.code;
  return typeof code === "string" && code.startsWith("EDB") ? code : undefined;
}
