/** What VS Code adds to the lenses of the server: an icon, and the way to the graph. Knows nothing of VS Code. */

export interface Command {
  title: string;
  command: string;
  arguments?: unknown[];
}

export interface Lens<Range> {
  range: Range;
  command?: Command;
}

/**
 * The server's lenses with an icon on those that export, and one more for each model: its graph.
 * The server cannot offer that one: other editors have nothing to show a graph in.
 */
export function decorate<Range>(lenses: readonly Lens<Range>[], mode: string): Lens<Range>[] {
  const found: Lens<Range>[] = [];
  const models = new Map<string, Lens<Range>>();
  for (const lens of lenses) {
    const model = modelOf(lens.command);
    if (lens.command === undefined || model === undefined) {
      found.push(lens);
      continue;
    }
    const title = lens.command.title.replace(/^Export\b/, "$(play) Export");
    found.push({ range: lens.range, command: { ...lens.command, title } });
    models.set(`${model.uri}::${model.name}`, {
      range: lens.range,
      command: {
        title: "$(type-hierarchy) Graph",
        command: "exportdb.showGraph",
        arguments: [{ ...model, mode }],
      },
    });
  }
  return [...found, ...models.values()];
}

function modelOf(command: Command | undefined): { uri: string; name: string } | undefined {
  if (command?.command !== "exportdb.export") return undefined;
  const { uri, name } = (command.arguments?.[0] ?? {}) as { uri?: unknown; name?: unknown };
  return typeof uri === "string" && typeof name === "string" ? { uri, name } : undefined;
}
