/** Puts the parts together. */
import * as vscode from "vscode";
import { ExportCommands } from "./commands/export";
import { showMenu } from "./commands/menu";
import { registerCommands } from "./commands/register";
import { openBugReport } from "./commands/report";
import { explainError } from "./commands/explain";
import { RulePages } from "./commands/rule";
import { GraphView } from "./graph/view";
import { Logger } from "./logger";
import { Interpreters, selectInterpreter } from "./python/interpreter";
import { connect } from "./server/client";
import { ServerCommands } from "./server/commands";
import { Installer } from "./server/install";
import { bundledServer, safeCwd, Session } from "./server/session";
import { settingNames } from "./settings/configuration";
import { StatusBar } from "./status/bar";
import { TestExplorer } from "./testing/explorer";

let session: Session | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = new Logger();
  const names = settingNames(context.extension);
  const folder = safeCwd(context);
  const interpreters = new Interpreters(log);
  const commands = new ServerCommands(log);
  const watcher = vscode.workspace.createFileSystemWatcher("**/*.py");
  const configuration = vscode.workspace.createFileSystemWatcher("**/pyproject.toml");

  const running = new Session(
    log,
    interpreters,
    (found, onClosed) => {
      const parts = {
        log,
        interpreters,
        settingNames: names,
        watchers: [watcher, configuration],
        executeCommand: commands.run,
        cwd: folder,
      };
      const connection = connect(parts, found.candidate, onClosed);
      connection.client.onNotification("exportdb/status", (params: object) => {
        status.received(params);
      });
      return connection;
    },
    folder,
    bundledServer(context),
  );
  session = running;
  const installer = new Installer(log, interpreters, running, folder);
  const status = new StatusBar(running, interpreters, log);
  const exports = new ExportCommands(running, commands);
  const rules = new RulePages(running);
  const graphs = new GraphView(log);

  commands.on("exportdb.showGraph", async (args, answer) => {
    await graphs.show(args[0] ?? {}, answer);
  });
  commands.on("exportdb.rule", async (args, answer) => {
    await rules.show((args[0] as { code?: string } | undefined)?.code ?? "", answer);
  });

  context.subscriptions.push(
    log,
    interpreters,
    watcher,
    configuration,
    running,
    installer,
    status,
    graphs.register(),
    rules.register(),
    new TestExplorer(running, log, commands, watcher),
    running.onServerNotFound((discovery) => void installer.tell(discovery)),
    interpreters.onDidChange(() => void interpreterChanged(running)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("exportdb.path")) {
        void running.restart("exportdb.path changed");
      } else if (event.affectsConfiguration("exportdb.interpreter")) {
        void interpreterChanged(running);
      } else if (event.affectsConfiguration("exportdb")) {
        void running.configurationChanged();
      }
    }),
    // The server was told that it must not run anything; it is simplest to tell a new one.
    vscode.workspace.onDidGrantWorkspaceTrust(() => void running.restart("the workspace was trusted")),
    registerCommands(log, {
      exportModel: () => exports.exportModel(),
      exportFile: () => exports.exportFile(),
      showGraph: () => exports.showGraph(),
      writeInputs: () => exports.writeInputs(),
      clear: () => running.execute("exportdb.clear", {}),
      checkWorkspace: async () => {
        await running.execute("exportdb.checkWorkspace");
        await vscode.commands.executeCommand("workbench.actions.view.problems");
      },
      explainError: () => explainError(running, rules),
      openRule: (code?: string) => rules.open(code),
      restartServer: () => running.restart("requested"),
      restartWorker: () => running.execute("exportdb.restartWorker"),
      install: () => installer.install(),
      selectInterpreter,
      settings: () =>
        vscode.commands.executeCommand("workbench.action.openSettings", "@ext:exportdb-lsp.exportdb"),
      showLogs: () => {
        log.show();
      },
      bugReport: () => openBugReport(context, running, status, log, names),
      menu: showMenu,
    }),
  );
  void running.restart("the extension was activated");
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}

/** The server lives in the selected environment unless a setting names it: then it only exports elsewhere. */
async function interpreterChanged(running: Session): Promise<void> {
  const { discovery } = running;
  if (discovery?.kind === "found" && discovery.candidate.origin === "setting") {
    await running.configurationChanged();
  } else {
    await running.restart("the interpreter changed");
  }
}
