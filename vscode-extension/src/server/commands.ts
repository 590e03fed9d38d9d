/** What VS Code does around a command of the server: ask for trust, and show what came back. */
import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import { messageOf, type Logger } from "../logger";
import { mayRun, refuse } from "../trust";

/** Called with the arguments and the answer of a server command that somebody ran from the editor. */
export type Listener = (args: readonly unknown[], answer: unknown) => void | Promise<void>;

export class ServerCommands {
  private readonly listeners = new Map<string, Listener[]>();

  constructor(private readonly log: Logger) {}

  on(command: string, listener: Listener): void {
    this.listeners.set(command, [...(this.listeners.get(command) ?? []), listener]);
  }

  /** The middleware for the language client. */
  readonly run: NonNullable<Middleware["executeCommand"]> = async (command, args, next) => {
    if (!mayRun(command)) {
      await refuse();
      return undefined;
    }
    try {
      const answer: unknown = await next(command, args);
      await this.tell(command, args as readonly unknown[], answer);
      return answer;
    } catch (cause) {
      this.log.error(`${command}: ${messageOf(cause)}`);
      void vscode.window.showErrorMessage(messageOf(cause));
      return undefined;
    }
  };

  /** Tells those who listen; also for commands that the extension itself sent. */
  async tell(command: string, args: readonly unknown[], answer: unknown): Promise<void> {
    for (const listener of this.listeners.get(command) ?? []) await listener(args, answer);
  }
}
