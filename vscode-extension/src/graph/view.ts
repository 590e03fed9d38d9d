/** The graph of an export beside the source: a click on either side shows the other. */
import * as vscode from "vscode";
import { messageOf, type Logger } from "../logger";
import { exportedGraph, graphTitle, nodesOf, sourceOf, type Graph, type GraphOf } from "./lines";

const SCHEME = "exportdb-graph";
const LANGUAGE = "exportdb-graph";

export class GraphView implements vscode.TextDocumentContentProvider, vscode.DefinitionProvider {
  /** The last graph of each model, mode and goal. They are kept: a change of language closes and opens the document. */
  private readonly graphs = new Map<string, Graph>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly highlight = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.findMatchHighlightBackground"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.findMatchForeground"),
  });

  constructor(private readonly log: Logger) {}

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.languages.registerDefinitionProvider({ scheme: SCHEME }, this),
      vscode.window.onDidChangeTextEditorSelection((event) => {
        this.follow(event).catch((cause: unknown) => {
          // The source may be gone. A message for each click would be too much.
          this.log.warn(`following the cursor to the counterpart: ${messageOf(cause)}`);
        });
      }),
      this.changed,
      this.highlight,
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.graphs.get(uri.toString())?.text ?? "";
  }

  provideDefinition(document: vscode.TextDocument, position: vscode.Position): vscode.Location | undefined {
    const graph = this.graphs.get(document.uri.toString());
    const link = graph && sourceOf(graph, position.line + 1);
    return (
      link && new vscode.Location(vscode.Uri.parse(link.uri), new vscode.Position(link.sourceLine - 1, 0))
    );
  }

  /** Shows an answer of `exportdb.showGraph`. */
  async show(asked: GraphOf, answer: unknown): Promise<void> {
    const title = graphTitle(asked);
    const graph = exportedGraph(answer);
    if (graph === undefined) {
      throw new Error(`${title} has no graph: its export did not succeed.`);
    }
    // The source is part of the address: two files may each have a model of that name.
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title}`, query: asked.uri ?? "" });
    this.graphs.set(uri.toString(), graph);
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(document, LANGUAGE);
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: false,
    });
  }

  /** Moves the other side along with a click or the cursor. */
  private async follow(event: vscode.TextEditorSelectionChangeEvent): Promise<void> {
    // Without a kind it was this very function, or another extension, that moved the cursor.
    if (event.kind === undefined) return;
    const editor = event.textEditor;
    const line = editor.selection.active.line + 1;
    const graph = this.graphs.get(editor.document.uri.toString());
    if (graph !== undefined) {
      await this.showSource(editor, graph, line);
    } else if (editor.document.languageId === "python") {
      this.showNodes(editor, line);
    }
  }

  private async showSource(graphEditor: vscode.TextEditor, graph: Graph, line: number): Promise<void> {
    const link = sourceOf(graph, line);
    graphEditor.setDecorations(this.highlight, link === undefined ? [] : lines([line]));
    if (link === undefined) return;
    const uri = vscode.Uri.parse(link.uri);
    const open = vscode.window.visibleTextEditors.find((e) => e.document.uri.toString() === uri.toString());
    const editor = await vscode.window.showTextDocument(uri, {
      viewColumn: open?.viewColumn ?? vscode.ViewColumn.One,
      preserveFocus: true,
    });
    const [range] = lines([link.sourceLine]);
    if (range === undefined) return;
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    editor.setDecorations(this.highlight, [range]);
  }

  private showNodes(sourceEditor: vscode.TextEditor, line: number): void {
    const uri = sourceEditor.document.uri.toString();
    let found = false;
    for (const editor of vscode.window.visibleTextEditors) {
      const graph = this.graphs.get(editor.document.uri.toString());
      if (graph === undefined) continue;
      const ranges = lines(nodesOf(graph, uri, line));
      editor.setDecorations(this.highlight, ranges);
      const [first] = ranges;
      if (first === undefined) continue;
      found = true;
      editor.revealRange(first, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
    sourceEditor.setDecorations(this.highlight, found ? lines([line]) : []);
  }
}

function lines(rows: readonly number[]): vscode.Range[] {
  return rows.map((row) => new vscode.Range(row - 1, 0, row - 1, 0));
}
