/** What a real export came to: the JSON contract of the server, checked at the border. */

export type Mode = "non-strict" | "strict";
export const MODES: readonly Mode[] = ["non-strict", "strict"];

export const OUTCOMES = [
  "ok",
  "fails",
  "diverges",
  "specializes",
  "no-inputs",
  "not-rebuilt",
  "no-tools",
  "eager-error",
  "timeout",
  "out-of-memory",
  "crash",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Frame {
  filename: string;
  row: number;
  code: string;
}

export interface Difference {
  call: number;
  place: string;
  detail: string;
  sizes: string | undefined;
  /** What the two return there; undefined where one of them raises. */
  eager: string | undefined;
  exported: string | undefined;
}

export interface ExportResult {
  target: string;
  /** What `exportdb.targets` calls it: a call of torch.export is named by its line. */
  name: string;
  filename: string;
  torch: string;
  mode: Mode;
  outcome: Outcome;
  exception: string | undefined;
  message: string;
  /** The line where it went wrong, from 1, and the file that the line is in. */
  row: number | undefined;
  rowFilename: string | undefined;
  frames: readonly Frame[];
  hints: readonly string[];
  inputs: string | undefined;
  seconds: number;
  difference: Difference | undefined;
  /** It was ended before its end, by hand or because the text was edited meanwhile: nothing was learned. */
  cancelled: boolean;
}

/** The results in an answer of `exportdb.export`; what is not of the contract's form is an error that says so. */
export function exportResults(answer: unknown): ExportResult[] {
  const results = record(answer)?.results;
  if (!Array.isArray(results)) throw new Error("the response to exportdb.export has no results");
  return results.map(exportResult);
}

function exportResult(value: unknown): ExportResult {
  const json = record(value);
  const outcome = OUTCOMES.find((o) => o === json?.outcome);
  const mode = MODES.find((m) => m === json?.mode);
  if (json === undefined || outcome === undefined || mode === undefined) {
    throw new Error(`not an export result: ${JSON.stringify(value)}`);
  }
  const filename = text(json.filename) ?? "";
  return {
    target: text(json.target) ?? "",
    name: lineOfCall(text(json.call), filename) ?? text(json.target) ?? "",
    filename,
    torch: text(json.torch) ?? "",
    mode,
    outcome,
    exception: text(json.exception),
    message: text(json.message) ?? "",
    row: number(json.row),
    rowFilename: text(json.row_filename) ?? (number(json.row) === undefined ? undefined : filename),
    frames: list(json.frames).flatMap(frame),
    hints: list(json.hints).flatMap((hint) => text(hint) ?? []),
    inputs: text(record(json.inputs)?.source),
    seconds: number(json.seconds) ?? 0,
    difference: difference(json.difference),
    cancelled: outcome === "crash" && json.exception === "Cancelled",
  };
}

/** `12` of `/net.py:12`, for a call in the file of the result itself. */
function lineOfCall(call: string | undefined, filename: string): string | undefined {
  const colon = call?.lastIndexOf(":") ?? -1;
  return colon >= 0 && call?.slice(0, colon) === filename ? call.slice(colon + 1) : undefined;
}

function frame(value: unknown): Frame | [] {
  const json = record(value);
  const filename = text(json?.filename);
  const row = number(json?.row);
  return filename === undefined || row === undefined ? [] : { filename, row, code: text(json?.code) ?? "" };
}

function difference(value: unknown): Difference | undefined {
  const json = record(value);
  if (json === undefined) return undefined;
  return {
    call: number(json.call) ?? 1,
    place: text(json.place) ?? "output",
    detail: text(json.detail) ?? "",
    sizes: text(json.sizes),
    eager: text(json.eager),
    exported: text(json.exported),
  };
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
