/** Which line of the graph of a program came from which line of source, and back. All lines from 1. */

/** What an export is asked for: whose graph it is. */
export interface GraphOf {
  uri?: string;
  name?: string;
  mode?: string;
  /** The tool that takes the program further; without one it is the exported program. */
  goal?: string;
}

export interface Link {
  graphLine: number;
  uri: string;
  sourceLine: number;
}

export interface Graph {
  text: string;
  links: readonly Link[];
}

/** The answer of `exportdb.showGraph`, checked at the border; undefined where there is no graph. */
export function exportedGraph(answer: unknown): Graph | undefined {
  const json = answer as { graph?: unknown; lines?: unknown } | null | undefined;
  if (typeof json?.graph !== "string" || json.graph === "") return undefined;
  const lines = Array.isArray(json.lines) ? (json.lines as unknown[]) : [];
  return { text: json.graph, links: lines.flatMap(link) };
}

/** `Net (non-strict, onnx)`, as the verdict names it. */
export function graphTitle({ name = "model", mode = "non-strict", goal }: GraphOf): string {
  return `${name} (${goal === undefined ? mode : `${mode}, ${goal}`})`;
}

function link(value: unknown): Link | [] {
  if (!Array.isArray(value)) return [];
  const [graphLine, uri, sourceLine] = value as unknown[];
  return typeof graphLine === "number" && typeof uri === "string" && typeof sourceLine === "number"
    ? { graphLine, uri, sourceLine }
    : [];
}

/** Where a line of the graph came from. */
export function sourceOf(graph: Graph, graphLine: number): Link | undefined {
  return graph.links.find((l) => l.graphLine === graphLine);
}

/** The lines of the graph that a line of source became. */
export function nodesOf(graph: Graph, uri: string, sourceLine: number): number[] {
  return graph.links.filter((l) => l.uri === uri && l.sourceLine === sourceLine).map((l) => l.graphLine);
}
