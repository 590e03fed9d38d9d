import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

interface Manifest {
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
  contributes: {
    configuration: { properties: Record<string, Record<string, unknown>> };
    commands: { command: string; title: string }[];
    menus: Record<string, { command?: string; submenu?: string }[]>;
    walkthroughs: { steps: { description: string; media: { markdown: string } }[] }[];
  };
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
const properties = manifest.contributes.configuration.properties;
const commands = new Set(manifest.contributes.commands.map((c) => c.command));

test("every setting has a description, a scope, a type and a default", () => {
  for (const [name, property] of Object.entries(properties)) {
    for (const key of ["markdownDescription", "scope", "type", "default"]) {
      assert.ok(property[key] !== undefined, `${name} has no ${key}`);
    }
  }
});

test("what can start a program of the workspace is restricted to trusted ones", () => {
  const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  assert.deepEqual(restrictedConfigurations, [
    "exportdb.path",
    "exportdb.interpreter",
    "exportdb.exportOnSave",
  ]);
  for (const name of restrictedConfigurations) assert.ok(name in properties, name);
});

test("each command of the palette is registered", () => {
  const source = readFileSync("src/extension.ts", "utf8");
  for (const command of commands) {
    const name = command.replace("exportdb.ui.", "");
    assert.match(source, new RegExp(`^ {6}${name}[:,]`, "m"), command);
  }
});

test("menus and the walkthrough name commands that exist", () => {
  for (const entries of Object.values(manifest.contributes.menus)) {
    for (const { command } of entries) assert.ok(command === undefined || commands.has(command), command);
  }
  for (const { steps } of manifest.contributes.walkthroughs) {
    for (const { description, media } of steps) {
      for (const [, command] of description.matchAll(/\(command:([^)]+)\)/g)) {
        assert.ok(command !== undefined && commands.has(command), command);
      }
      assert.ok(readFileSync(media.markdown, "utf8").length > 0);
    }
  }
});
