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

/** The server's lenses as VS Code shows them: `▶ Export | strict | non-strict | Graph`, behind the last verdicts. */
export function decorate<Range>(lenses: readonly Lens<Range>[]): Lens<Range>[] {
  return lenses.map((lens) => {
    const title = lens.command && TITLES.get(lens.command.title);
    if (lens.command === undefined || title === undefined) return lens;
    return { range: lens.range, command: { ...lens.command, title } };
  });
}
