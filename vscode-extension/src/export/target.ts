/** What can be exported in a file: the answer of `exportdb.targets`, checked at the border. */

export interface Place {
  line: number;
  character: number;
}

export interface Range {
  start: Place;
  end: Place;
}

export interface Target {
  name: string;
  /** What people are shown where that is not the name: a call is named by its line. */
  label: string | undefined;
  /** The whole class or function. */
  range: Range;
  /** Its name. */
  selectionRange: Range;
  /** Where its example inputs come from; undefined where none are known yet. */
  source: string | undefined;
}

/** The targets of an answer. */
export function exportTargets(answer: unknown): Target[] {
  const targets = (answer as { targets?: unknown } | null | undefined)?.targets;
  if (!Array.isArray(targets)) throw new Error("the response to exportdb.targets has no targets");
  return targets.map((value: unknown) => {
    const target = value as Partial<Target> | null;
    if (typeof target?.name !== "string" || target.range === undefined) {
      throw new Error(`not a target: ${JSON.stringify(value)}`);
    }
    return {
      name: target.name,
      label: typeof target.label === "string" && target.label !== "" ? target.label : undefined,
      range: target.range,
      selectionRange: target.selectionRange ?? target.range,
      source: typeof target.source === "string" && target.source !== "" ? target.source : undefined,
    };
  });
}

/** The innermost target around a line, else the only one of the file. */
export function targetAt(targets: readonly Target[], line: number): Target | undefined {
  const around = targets.filter((t) => t.range.start.line <= line && line <= t.range.end.line);
  around.sort((a, b) => b.range.start.line - a.range.start.line);
  return around[0] ?? (targets.length === 1 ? targets[0] : undefined);
}
