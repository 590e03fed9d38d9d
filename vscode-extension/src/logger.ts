/** The output channel, and a memory of its last lines. */
import * as vscode from "vscode";
import { RecentLines } from "./log/recent";

export class Logger implements vscode.Disposable {
  readonly channel = vscode.window.createOutputChannel("ExportDB", { log: true });
  readonly recent = new RecentLines(200);

  info(text: string): void {
    this.keep("info", text);
    this.channel.info(text);
  }

  warn(text: string): void {
    this.keep("warning", text);
    this.channel.warn(text);
  }

  error(text: string): void {
    this.keep("error", text);
    this.channel.error(text);
  }

  show(): void {
    this.channel.show(true);
  }

  dispose(): void {
    this.channel.dispose();
  }

  private keep(level: string, text: string): void {
    this.recent.add(`${new Date().toISOString()} [${level}] ${text}`);
  }
}

/** The message of whatever was thrown. */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
