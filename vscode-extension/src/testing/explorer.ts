/** The Test Explorer: what can be exported, and whether it does. */
import * as vscode from "vscode";
import { exportResults } from "../export/result";
import { messageOf, type Logger } from "../logger";
import type { ServerCommands } from "../server/commands";
import type { Session } from "../server/session";
import { UntrustedError } from "../trust";
import { candidateFiles, targetsOf } from "./discovery";
import { report, runTests } from "./run";
import { TestTree } from "./tree";

/** Typing pauses that are shorter do not ask the server again. */
const PAUSE = 400;

export class TestExplorer implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("exportdb", "torch.export");
  private readonly tree = new TestTree(this.controller);
  private readonly disposables: { dispose(): unknown }[] = [this.controller];
  private readonly pauses = new Map<string, NodeJS.Timeout>();
  private scan: vscode.CancellationTokenSource | undefined;

  constructor(
    private readonly session: Session,
    private readonly log: Logger,
    commands: ServerCommands,
    watcher: vscode.FileSystemWatcher,
  ) {
    this.controller.createRunProfile(
      "Export",
      vscode.TestRunProfileKind.Run,
      (request, token) => this.run(request, token),
      true,
    );
    this.controller.refreshHandler = () => this.refresh();
    this.disposables.push(
      session.onDidChangeState((state) => {
        if (state === "running") void this.refresh();
      }),
      vscode.workspace.onDidOpenTextDocument((document) => {
        this.later(document.uri, document.languageId);
      }),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length === 0) return;
        const file = this.tree.file(document.uri);
        // The results were about another text.
        if (file !== undefined) this.controller.invalidateTestResults(file);
        this.later(document.uri, document.languageId);
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.refresh()),
      watcher.onDidCreate((uri) => {
        this.later(uri, "python");
      }),
      watcher.onDidChange((uri) => {
        this.later(uri, "python");
      }),
      watcher.onDidDelete((uri) => {
        this.tree.update(uri, []);
      }),
    );
    commands.on("exportdb.export", (args, answer) => {
      this.follow(args, answer);
    });
  }

  dispose(): void {
    this.scan?.cancel();
    for (const timer of this.pauses.values()) clearTimeout(timer);
    vscode.Disposable.from(...this.disposables).dispose();
  }

  /** Looks through the whole workspace. A new scan ends the one that still runs. */
  private async refresh(): Promise<void> {
    this.scan?.cancel();
    const source = (this.scan = new vscode.CancellationTokenSource());
    const seen = new Set<string>();
    try {
      for await (const uri of candidateFiles(source.token, this.log)) {
        const targets = await targetsOf(this.session, uri, this.log);
        if (source.token.isCancellationRequested) return;
        this.tree.update(uri, targets);
        seen.add(uri.toString());
      }
      const gone: vscode.Uri[] = [];
      this.controller.items.forEach((item) => {
        if (item.uri !== undefined && !seen.has(item.id)) gone.push(item.uri);
      });
      for (const uri of gone) await this.one(uri);
    } catch (cause) {
      this.log.error(`discovering models: ${messageOf(cause)}`);
    } finally {
      source.dispose();
      if (this.scan === source) this.scan = undefined;
    }
  }

  private later(uri: vscode.Uri, languageId: string): void {
    if (languageId !== "python" || uri.scheme !== "file" || !uri.path.endsWith(".py")) return;
    const key = uri.toString();
    clearTimeout(this.pauses.get(key));
    this.pauses.set(
      key,
      setTimeout(() => {
        this.pauses.delete(key);
        void this.one(uri);
      }, PAUSE),
    );
  }

  private async one(uri: vscode.Uri): Promise<void> {
    if (this.session.state !== "running") return;
    this.tree.update(uri, await targetsOf(this.session, uri, this.log));
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const excluded = new Set((request.exclude ?? []).flatMap((item) => this.tree.leavesUnder(item)));
    const asked = request.include?.flatMap((item) => this.tree.leavesUnder(item)) ?? this.tree.allLeaves();
    const items = asked.filter((item) => !excluded.has(item));
    const run = this.controller.createTestRun(request);
    try {
      if (vscode.workspace.isTrusted) {
        await runTests(this.session, this.tree, run, items, token);
      } else {
        const message = new vscode.TestMessage(new UntrustedError().message);
        for (const item of items) run.errored(item, message);
      }
    } finally {
      run.end();
    }
  }

  /** An export that was started elsewhere, by a CodeLens or a command, counts as a run too. */
  private follow(args: readonly unknown[], answer: unknown): void {
    const uri = (args[0] as { uri?: unknown } | undefined)?.uri;
    if (typeof uri !== "string") return;
    const found = exportResults(answer).flatMap((result) => {
      if (result.cancelled) return [];
      const item = this.tree.find(vscode.Uri.parse(uri), result.name, result.mode);
      const leaf = item && this.tree.leaf(item);
      return item !== undefined && leaf !== undefined ? [{ item, leaf, result }] : [];
    });
    if (found.length === 0) return;
    const run = this.controller.createTestRun(new vscode.TestRunRequest(found.map(({ item }) => item)));
    for (const { item, leaf, result } of found) report(run, item, leaf, result);
    run.end();
  }
}
