// Selects, for each folder of the workspace, the interpreter that a JSON file names: {"folder": "/path/of/python"}.
// A folder that is not there has nothing selected, as after a fresh install.
const { readFileSync, unwatchFile, watchFile } = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");

const file = process.env.EXPORTDB_E2E_SELECTION;

function selection() {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}

exports.activate = (context) => {
  const changed = new vscode.EventEmitter();
  watchFile(file, { interval: 100 }, () => {
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      changed.fire({ id: folder.name, path: selection()[folder.name] ?? "", resource: folder });
    }
  });
  context.subscriptions.push(changed, { dispose: () => unwatchFile(file) });

  const folderOf = (resource) =>
    (resource && vscode.workspace.getWorkspaceFolder(resource.uri ?? resource)) ??
    vscode.workspace.workspaceFolders?.[0];
  return {
    ready: Promise.resolve(),
    environments: {
      onDidChangeActiveEnvironmentPath: changed.event,
      getActiveEnvironmentPath: (resource) => {
        const selected = selection()[folderOf(resource)?.name ?? ""] ?? "";
        return { id: selected, path: selected };
      },
      resolveEnvironment: async (environment) => {
        const python = typeof environment === "string" ? environment : environment.path;
        if (python === "") return undefined;
        return { id: python, path: python, executable: { uri: vscode.Uri.file(path.resolve(python)) } };
      },
    },
  };
};
