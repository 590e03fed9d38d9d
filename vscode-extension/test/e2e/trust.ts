import assert from "node:assert/strict";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { eventually } from "./eventually";
import { scenario, type Stage } from "./scenario";

/** Leaves a file behind wherever it is started. */
const TRAP = `#!/bin/sh\ntouch "$(dirname "$0")/SPRUNG"\n`;

/** Programs in all places of a workspace where one could be started, and settings that name them. */
function lay(folder: string): void {
  const bin = path.join(folder, ".venv", "bin");
  mkdirSync(bin, { recursive: true });
  for (const name of ["python", "python3", "exportdb-lsp"]) {
    writeFileSync(path.join(bin, name), TRAP);
    chmodSync(path.join(bin, name), 0o755);
  }
  mkdirSync(path.join(folder, ".vscode"));
  const settings = {
    "exportdb.path": "${workspaceFolder}/.venv/bin/exportdb-lsp",
    "exportdb.interpreter": "${workspaceFolder}/.venv/bin/python",
    "exportdb.exportOnSave": true,
  };
  writeFileSync(path.join(folder, ".vscode", "settings.json"), JSON.stringify(settings));
  writeFileSync(path.join(folder, "pyproject.toml"), '[tool.exportdb]\ninterpreter = ".venv/bin/python"\n');
}

/** Runs in a VS Code server that asks for trust. */
export function trust(stage: () => Stage): void {
  scenario(
    stage,
    "an untrusted workspace is analysed, and nothing of it is run until it is trusted",
    async (w) => {
      await w.page.getByRole("button", { name: "No, I don't trust the authors" }).click();
      await w.openFile("gate.py");
      await w.squiggles().first().waitFor();
      assert.equal(await w.codeLens(/Export/).count(), 0, "no lens that could only refuse");
      await w.command("ExportDB: Export This Model");
      await w.message(/not trusted/);
      await w.shot("untrusted");
      await w.goto(1);
      await w.page.keyboard.type("# saved ");
      await w.save("gate.py", (text) => text.includes("# saved"));
      await w.command("Test: Run All Tests");
      const question = w.page.locator(".monaco-dialog-box", { hasText: "Running tests may execute code" });
      await question.getByRole("button", { name: "Cancel" }).click();
      await question.waitFor({ state: "detached" });
      assert.ok(!w.exists(".venv/bin/SPRUNG") && !w.exists("__pycache__"), "nothing was started");

      // What the settings name is no Python: only the way to a trusted workspace is of interest from here on.
      rmSync(path.join(w.folder, ".venv"), { recursive: true });
      rmSync(path.join(w.folder, "pyproject.toml"));
      w.remove(".vscode/settings.json");
      await w.command("Workspaces: Manage Workspace Trust");
      await w.page
        .locator(".workspace-trust-editor")
        .getByRole("button", { name: "Trust", exact: true })
        .first()
        .click();
      await w.openFile("gate.py");
      await w
        .codeLens(/^\s*Export$/)
        .first()
        .click();
      await eventually(
        () => w.codeLens(/✗ non-strict: fails/).count(),
        (n) => n > 0,
        "a verdict in the workspace that is trusted now",
      );
    },
    { prepare: lay },
  );
}
