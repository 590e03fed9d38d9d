/** What an error of torch.export means: the answer of `exportdb.explain`, checked at the border. */
import type { Range } from "./target";

export interface Explanation {
  message: string;
  /** The rule that speaks of the error. */
  rule: { code: string; name: string; fix: string | undefined } | undefined;
  /** torch's page of the graph break. */
  graphBreak: { id: string; url: string } | undefined;
  /** The line in the user's source, where it was found. */
  place: { uri: string; range: Range } | undefined;
}

type Loose = Record<string, unknown>;

/** The explanations of an answer. */
export function explanations(answer: unknown): Explanation[] {
  const found = (answer as { explanations?: unknown } | null | undefined)?.explanations;
  if (!Array.isArray(found)) throw new Error("the response to exportdb.explain has no explanations");
  return found.map((value: unknown) => {
    const given: Loose = Object(value) as Loose;
    const { message, rule, graph_break_id: id, graph_break_url: url, uri, range } = given;
    if (typeof message !== "string") throw new Error(`not an explanation: ${JSON.stringify(value)}`);
    return {
      message,
      rule: ruleOf(Object(rule) as Loose),
      graphBreak: typeof id === "string" && typeof url === "string" ? { id, url } : undefined,
      place: typeof uri === "string" && range ? { uri, range: range as Range } : undefined,
    };
  });
}

function ruleOf(rule: Loose): Explanation["rule"] {
  if (typeof rule.code !== "string" || typeof rule.name !== "string") return undefined;
  return { code: rule.code, name: rule.name, fix: typeof rule.fix === "string" ? rule.fix : undefined };
}

/** One line for people: the rule, the reason, the fix. */
export function describe(explanation: Explanation): string {
  const { rule, message } = explanation;
  const fix = rule?.fix === undefined ? "" : ` Fix: ${rule.fix}.`;
  return `${rule === undefined ? "" : `${rule.code} ${rule.name}: `}${message}${fix}`;
}
