import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { serverProcesses } from "./processes";
import { scenario, type Stage } from "./scenario";
import { EXPORT } from "./workbench";

/** A workspace of two folders, and an extension that selects Python environments. */
export function folders(stage: () => Stage): void {
  scenario(
    stage,
    "every folder has its own settings",
    async (w) => {
      await w.settings({ "exportdb.ignore": ["EDB101"] }, "one");
      await w.openFile("gate_two.py");
      await w.squiggles().first().waitFor();
      await w.openFile("gate_one.py");
      await w.codeLens(EXPORT).first().waitFor();
      await w.noSquiggles("where the rule is off");
      await w.settings({ "exportdb.mode": "strict" }, "one");
      await w.squiggles().first().waitFor();
      await w.status(/ · strict/);
      await w.openFile("gate_two.py");
      await w.status(/ · non-strict/);
      w.remove("one/.vscode/settings.json");
    },
    { window: "folders" },
  );

  scenario(
    stage,
    "the interpreter follows the Python extension, folder by folder",
    async (w, { needs, server }) => {
      const bare = path.join(server.root, "bare");
      execFileSync(needs.interpreter, ["-m", "venv", "--without-pip", bare]);
      const select = (selection: Record<string, string>) => {
        writeFileSync(server.selection, JSON.stringify(selection));
      };
      await w.openFile("gate_two.py");
      await w.status(/torch \d/);
      const before = serverProcesses(server.root);
      select({ two: path.join(bare, "bin", "python") });
      await w.status("no torch");
      await w.openFile("gate_one.py");
      await w.status(/torch \d/);
      await w.openFile("gate_two.py");
      await w.status("no torch");
      await w.export();
      await w.message(/torch/);
      select({ one: needs.interpreter, two: needs.interpreter });
      await w.status(/torch \d/);
      await w.export();
      await w
        .codeLens(/✗ non-strict: fails/)
        .first()
        .waitFor();
      assert.deepEqual(serverProcesses(server.root), before, "the server stays: a setting names it");
      select({});
    },
    { window: "folders" },
  );

  scenario(
    stage,
    "a file that is on no disk is checked, and exported from its text",
    async (w) => {
      await w.openFromExplorer("gate_afar.py");
      await w.squiggles().first().waitFor();
      await w.showProblems();
      await w.problems("[Ln 15, Col 12]").filter({ hasText: "EDB101" }).first().waitFor();
      await w.export();
      await w
        .codeLens(/✗ non-strict: fails/)
        .first()
        .waitFor();
      await w
        .problems(/confirmed by an export of/)
        .filter({ hasText: "[Ln 15," })
        .first()
        .waitFor();
    },
    { window: "virtual" },
  );
}
