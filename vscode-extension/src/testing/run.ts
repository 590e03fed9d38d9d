/** Runs models of the Test Explorer: each is exported for real. */
import * as vscode from "vscode";
import { exportResults, type ExportResult } from "../export/result";
import { messageOf } from "../logger";
import type { Session } from "../server/session";
import { testOutcome } from "./outcome";
import type { Leaf, TestTree } from "./tree";

/** The leaves of one model are one request: the worker loads the file once for both modes. */
interface Job {
  uri: vscode.Uri;
  name: string;
  items: vscode.TestItem[];
}

/** Runs what was asked for, one model after the other; a cancelled run leaves the rest untouched. */
export async function runTests(
  session: Session,
  tree: TestTree,
  run: vscode.TestRun,
  items: readonly vscode.TestItem[],
  token: vscode.CancellationToken,
): Promise<void> {
  const jobs = jobsOf(tree, items);
  for (const job of jobs) for (const item of job.items) run.enqueued(item);
  for (const job of jobs) {
    if (token.isCancellationRequested) return;
    await runJob(session, tree, run, job, token);
  }
}

async function runJob(
  session: Session,
  tree: TestTree,
  run: vscode.TestRun,
  job: Job,
  token: vscode.CancellationToken,
): Promise<void> {
  for (const item of job.items) run.started(item);
  const modes = job.items.flatMap((item) => tree.leaf(item)?.mode ?? []);
  let results: ExportResult[];
  try {
    const argument = { uri: job.uri.toString(), name: job.name, modes };
    results = exportResults(await session.execute("exportdb.export", argument, token));
  } catch (cause) {
    for (const item of job.items) {
      if (token.isCancellationRequested) run.skipped(item);
      else run.errored(item, new vscode.TestMessage(messageOf(cause)));
    }
    return;
  }
  for (const item of job.items) {
    const leaf = tree.leaf(item);
    // A call in a loop has a result for each round: the first that is not well is the one to show.
    const rounds = results.filter((r) => r.mode === leaf?.mode);
    const result = rounds.find((r) => r.outcome !== "ok") ?? rounds[0];
    if (leaf === undefined || result === undefined) {
      run.errored(item, new vscode.TestMessage("The server returned no result."));
    } else if (result.cancelled) {
      run.skipped(item);
    } else {
      report(run, item, leaf, result);
    }
  }
}

function jobsOf(tree: TestTree, items: readonly vscode.TestItem[]): Job[] {
  const jobs = new Map<string, Job>();
  for (const item of items) {
    const leaf = tree.leaf(item);
    if (leaf === undefined) continue;
    const key = `${leaf.uri.toString()}::${leaf.name}`;
    const job = jobs.get(key) ?? { uri: leaf.uri, name: leaf.name, items: [] };
    if (!job.items.includes(item)) job.items.push(item);
    jobs.set(key, job);
  }
  return [...jobs.values()];
}

/** Puts one result on one item. */
export function report(run: vscode.TestRun, item: vscode.TestItem, leaf: Leaf, result: ExportResult): void {
  const outcome = testOutcome(result);
  const duration = result.seconds * 1000;
  run.appendOutput(
    `${leaf.name} (${leaf.mode}): ${outcome.message}\r\n`.replace(/\r?\n/g, "\r\n"),
    undefined,
    item,
  );
  if (outcome.state === "passed") {
    run.passed(item, duration);
    return;
  }
  const message =
    outcome.expected === undefined || outcome.actual === undefined
      ? new vscode.TestMessage(outcome.message)
      : vscode.TestMessage.diff(outcome.message, outcome.expected, outcome.actual);
  message.location = location(leaf.uri, item, outcome.place);
  if (outcome.state === "failed") run.failed(item, message, duration);
  else run.errored(item, message, duration);
}

function location(
  uri: vscode.Uri,
  item: vscode.TestItem,
  place: { filename: string; row: number } | undefined,
): vscode.Location {
  if (place === undefined) return new vscode.Location(uri, item.range ?? new vscode.Range(0, 0, 0, 0));
  // The model's own file keeps its URI, whatever scheme that has; a helper file is one on the disk.
  const file = place.filename === uri.fsPath ? uri : vscode.Uri.file(place.filename);
  return new vscode.Location(file, new vscode.Position(place.row - 1, 0));
}
