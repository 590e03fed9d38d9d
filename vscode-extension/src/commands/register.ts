/** The commands of the palette. */
import * as vscode from "vscode";
import { messageOf, type Logger } from "../logger";
import { refuse, UntrustedError } from "../trust";

/** Registers commands; what one throws is shown, once, to the person who ran it. */
export function registerCommands(
  log: Logger,
  commands: Readonly<Record<string, (...args: never[]) => unknown>>,
): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([name, run]) =>
      vscode.commands.registerCommand(`exportdb.ui.${name}`, async (...args: never[]) => {
        try {
          await run(...args);
        } catch (cause) {
          if (cause instanceof UntrustedError) {
            await refuse();
          } else {
            log.error(`${name}: ${messageOf(cause)}`);
            void vscode.window.showErrorMessage(messageOf(cause));
          }
        }
      }),
    ),
  );
}
