import assert from "node:assert/strict";
import { eventually } from "./eventually";
import { serverProcesses } from "./processes";
import { scenario, type Stage } from "./scenario";

export function diagnostics(stage: () => Stage): void {
  scenario(stage, "a finding is a squiggle, and a problem with the right line", async (w) => {
    await w.openFile("gate.py");
    await w.squiggles().first().waitFor();
    await w.showProblems();
    const row = w.problems("[Ln 15, Col 12]").filter({ hasText: "EDB101" });
    await row.first().waitFor();
    assert.ok((await row.locator("a").count()) > 0, "the code links to the rule's page");
    await w.picture("diagnostic");
  });

  scenario(stage, "columns are right behind an emoji", async (w) => {
    await w.openFile("smiling.py");
    await w.squiggles().first().waitFor();
    await w.showProblems();
    // The emoji is one code point and two UTF-16 units: in code points it would be column 34.
    await w.problems("[Ln 10, Col 35]").filter({ hasText: "EDB101" }).first().waitFor();
  });

  scenario(stage, "a hover says what happens, and why", async (w) => {
    await w.openFile("gate.py");
    await w.squiggles().first().waitFor();
    const hover = await w.hover(15, 14);
    await hover.getByText("Data-dependent branch").first().waitFor();
  });

  scenario(stage, "a cell of a notebook is checked", async (w) => {
    await w.openFile("plain.py");
    await w.openFile("cells.ipynb");
    await w.squiggles().first().waitFor();
    await w.showProblems();
    const row = w.problems("[Ln 3, Col 12]").filter({ hasText: "EDB101" });
    await row.first().waitFor();
    await w.picture("notebook");
    // Unlike a file, a cell is nobody's once its notebook is closed.
    await w.closeEditors();
    await row.first().waitFor({ state: "detached" });
  });

  scenario(stage, "a change of settings takes effect without a restart", async (w, { server }) => {
    await w.openFile("gate.py");
    await w.squiggles().first().waitFor();
    const before = serverProcesses(server.root);
    await w.settings({ "exportdb.ignore": ["EDB101"] });
    await w.noSquiggles("with the rule off");
    await w.settings({});
    await w.squiggles().first().waitFor();
    await w.settings({ "exportdb.mode": "strict" });
    await w.status(/ · strict/);
    await w.settings({ "exportdb.codeLens": false });
    await eventually(
      () => w.codeLens(/./).count(),
      (n) => n === 0,
      "lenses that were switched off",
    );
    assert.deepEqual(serverProcesses(server.root), before);
  });

  scenario(stage, "the workspace is checked on request, files that are not open included", async (w) => {
    await w.openFile("plain.py");
    await w.status(/torch \d/);
    await w.command("ExportDB: Check Workspace");
    await w.problems("self.calls").filter({ hasText: "EDB401" }).first().waitFor();
  });

  scenario(stage, "what was found in a file that is gone goes too", async (w) => {
    await w.openCopy("gate.py", "gate_gone.py");
    await w.squiggles().first().waitFor();
    await w.showProblems();
    await w.problems("gate_gone.py").first().waitFor();
    await w.closeEditors();
    w.remove("gate_gone.py");
    await w.problems("gate_gone.py").first().waitFor({ state: "detached" });
  });
}
