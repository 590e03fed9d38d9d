/** A bug report as Markdown. Knows nothing of VS Code. */

export interface Report {
  versions: Readonly<Record<string, string>>;
  settings: Readonly<Record<string, unknown>>;
  attempts: readonly string[];
  log: readonly string[];
  home: string;
}

/** The report; the home folder, which often is somebody's name, is written `~`. */
export function bugReport(report: Report): string {
  const versions = Object.entries(report.versions).map(([name, version]) => `| ${name} | ${version} |`);
  const text = [
    "# Bug report: ExportDB",
    "",
    "## Actual and expected behavior",
    "",
    "(Describe the problem, with a minimal model that reproduces it.)",
    "",
    "## Versions",
    "",
    "| what | version |",
    "| --- | --- |",
    ...versions,
    "",
    "## Settings",
    "",
    "```json",
    JSON.stringify(report.settings, null, 2),
    "```",
    "",
    "## Server discovery",
    "",
    ...report.attempts.map((attempt) => `- ${attempt}`),
    "",
    "## Log",
    "",
    "```",
    ...report.log,
    "```",
    "",
  ].join("\n");
  return report.home.length > 1 ? text.replaceAll(report.home, "~") : text;
}
