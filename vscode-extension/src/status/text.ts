/** What the status bar item says. Knows nothing of VS Code. */

export interface Status {
  state: "starting" | "idle" | "busy" | "error" | "missing";
  message: string;
  interpreter: string | undefined;
  torch: string | undefined;
  version: string | undefined;
  mode: string;
  trusted: boolean;
}

export interface Item {
  text: string;
  /** Markdown. */
  tooltip: string;
  severity: "none" | "warning" | "error";
}

const ICONS: Record<Status["state"], string> = {
  starting: "$(sync~spin)",
  idle: "$(export)",
  busy: "$(sync~spin)",
  error: "$(error)",
  missing: "$(warning)",
};

/** The item for a status. */
export function statusItem(status: Status): Item {
  const torch = status.torch === undefined ? "no torch" : `torch ${status.torch}`;
  const what: Record<Status["state"], string> = {
    starting: "ExportDB",
    idle: `${torch} · ${status.mode}`,
    busy: status.message || `${torch} · ${status.mode}`,
    error: "ExportDB",
    missing: "ExportDB: server not found",
  };
  return {
    text: `${ICONS[status.state]} ${what[status.state]}`,
    tooltip: tooltip(status),
    severity: status.state === "error" ? "error" : status.state === "missing" ? "warning" : "none",
  };
}

function tooltip(status: Status): string {
  const rows = [
    ["Server", status.version === undefined ? status.state : `exportdb-lsp ${status.version}`],
    ["Interpreter", status.interpreter ?? "none"],
    ["Torch", status.torch ?? "not installed"],
    ["Mode", status.mode],
    ["Exports", status.trusted ? "on demand" : "off: the workspace is not trusted"],
  ];
  const table = rows.map(([name, value]) => `- ${String(name)}: ${escape(String(value))}`).join("\n");
  const message = status.message === "" ? "" : `\n\n${escape(status.message)}`;
  return `**torch.export**\n\n${table}${message}\n\nClick for a menu.`;
}

function escape(text: string): string {
  return text.replace(/[\\`*_{}[\]<>()#|~]/g, "\\$&");
}
