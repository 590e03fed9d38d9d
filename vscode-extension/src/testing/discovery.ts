/** Which files of the workspace have something to export. */
import * as vscode from "vscode";
import { exportTargets, type Target } from "../export/target";
import { messageOf, type Logger } from "../logger";
import type { Session } from "../server/session";

/** Folders of other people's code: nobody exports a model from there. */
const EXCLUDE = "**/{node_modules,.venv,venv,env,site-packages,__pycache__,.git,.tox,.nox,build,dist}/**";
const LIMIT = 5_000;
/** A file that does not name torch defines no model and is not worth a question to the server. */
const MENTIONS_TORCH = /\btorch\b/;

/** The Python files of the workspace that may have targets. */
export async function* candidateFiles(
  token: vscode.CancellationToken,
  log: Logger,
): AsyncGenerator<vscode.Uri> {
  const files = await vscode.workspace.findFiles("**/*.py", EXCLUDE, LIMIT, token);
  if (files.length === LIMIT) {
    log.warn(`the workspace has many Python files: the Test Explorer lists the models of the first ${LIMIT}`);
  }
  files.sort((a, b) => a.path.localeCompare(b.path));
  for (const file of files) {
    if (token.isCancellationRequested) return;
    if (await mentionsTorch(file)) yield file;
  }
}

async function mentionsTorch(uri: vscode.Uri): Promise<boolean> {
  try {
    return MENTIONS_TORCH.test(Buffer.from(await vscode.workspace.fs.readFile(uri)).toString("utf8"));
  } catch {
    return false; // deleted in between, or not readable: no test is missed
  }
}

/** The targets of a file, none where the server cannot say. */
export async function targetsOf(session: Session, uri: vscode.Uri, log: Logger): Promise<Target[]> {
  try {
    return exportTargets(await session.execute("exportdb.targets", { uri: uri.toString() }));
  } catch (cause) {
    log.warn(`exportdb.targets ${uri.fsPath}: ${messageOf(cause)}`);
    return [];
  }
}
