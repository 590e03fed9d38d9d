// The files of a folder on the disk, at vscode-vfs://memory/, read only.
const { readdirSync, readFileSync } = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");

const folder = process.env.EXPORTDB_E2E_VIRTUAL;
const files = new Map(readdirSync(folder).map((name) => [`/${name}`, readFileSync(path.join(folder, name))]));

exports.activate = (context) => {
  const { FileType } = vscode;
  const refuse = (uri) => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  const provider = {
    onDidChangeFile: new vscode.EventEmitter().event,
    watch: () => ({ dispose: () => undefined }),
    stat: (uri) => {
      if (uri.path === "/") return { type: FileType.Directory, ctime: 0, mtime: 0, size: 0 };
      const content = files.get(uri.path);
      if (content === undefined) throw vscode.FileSystemError.FileNotFound(uri);
      return { type: FileType.File, ctime: 0, mtime: 0, size: content.length };
    },
    readDirectory: () => [...files.keys()].map((name) => [name.slice(1), FileType.File]),
    readFile: (uri) => {
      const content = files.get(uri.path);
      if (content === undefined) throw vscode.FileSystemError.FileNotFound(uri);
      return content;
    },
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
  context.subscriptions.push(
    vscode.workspace.registerFileSystemProvider("vscode-vfs", provider, { isReadonly: true }),
  );
};
