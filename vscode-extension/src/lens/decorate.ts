/** What VS Code adds to the lenses of the server: icons, and shorter words beside them. Knows nothing of VS Code. */

export interface Command {
  title: string;
  command: string;
  arguments?: unknown[];
}

export interface Lens<Range> {
  range: Range;
  command?: Command;
}

const TITLES = new Map([
  ["Export", "$(play) Export"],
  // They stand in one row, behind the first.
  ["Export strict", "strict"],
  ["Export non-strict", "non-strict"],
  ["Graph", "$(type-hierarchy) Graph"],
]);

/** `Export strict to ONNX`: the goal stands behind the first of the row alone. */
const GOAL = / to .+$/;

/** The server's lenses as VS Code shows them: `▶ Export | strict | non-strict | Graph`, behind the last verdicts. */
export function decorate<Range>(lenses: readonly Lens<Range>[]): Lens<Range>[] {
  return lenses.map((lens) => {
    if (lens.command === undefined) return lens;
    const goal = GOAL.exec(lens.command.title)?.[0] ?? "";
    const plain = lens.command.title.slice(0, lens.command.title.length - goal.length);
    const known = TITLES.get(plain);
    if (known === undefined) return lens;
    const title = plain === "Export" ? known + goal : known;
    return { range: lens.range, command: { ...lens.command, title } };
  });
}
