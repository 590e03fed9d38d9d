import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Prerequisites } from "./prerequisites";

/** Settings that VS Code alone has. */
const OURS = ["path", "trace.server"];

const PRINT_OPTIONS = `
import json
from exportdb_lsp.settings import OPTIONS
print(json.dumps({option.camel: option.choices for option in OPTIONS if option.editor}))
`;

/** The settings of package.json are those that the server knows, with the same choices. */
export function schema(needs: Prerequisites): void {
  test("the settings are those of the server", () => {
    const manifest = JSON.parse(readFileSync("package.json", "utf8")) as {
      contributes: { configuration: { properties: Record<string, { enum?: string[] }> } };
    };
    const declared = Object.fromEntries(
      Object.entries(manifest.contributes.configuration.properties)
        .map(([name, property]) => [name.replace("exportdb.", ""), property.enum ?? []] as const)
        .filter(([name]) => !OURS.includes(name)),
    );
    const known = JSON.parse(
      execFileSync(needs.interpreter, ["-c", PRINT_OPTIONS], { encoding: "utf8" }),
    ) as unknown;
    assert.deepEqual(declared, known);
  });
}
