import assert from "node:assert/strict";
import { scenario, type Stage } from "./scenario";
import { eventually } from "./workbench";

export function diagnostics(stage: () => Stage): void {
  scenario(stage, "a finding is a squiggle, and a problem with the right line", async (w) => {
    await w.openFile("gate.py");
    await w.squiggles().first().waitFor();
    await w.showProblems();
    const row = w.problems("[Ln 15, Col 12]").filter({ hasText: "EDB101" });
    await row.waitFor();
    assert.ok((await row.locator("a").count()) > 0, "the code links to the rule's page");
    await w.shot("diagnostic");
  });

  scenario(stage, "columns are right behind an emoji", async (w) => {
    await w.openFile("smiling.py");
    await w.squiggles().first().waitFor();
    await w.showProblems();
    // The emoji is one code point and two UTF-16 units: in code points it would be column 34.
    await w.problems("[Ln 10, Col 35]").filter({ hasText: "EDB101" }).waitFor();
  });

  scenario(stage, "a cell of a notebook is checked", async (w) => {
    await w.openFile("plain.py");
    await w.openFile("cells.ipynb");
    await w.squiggles().first().waitFor();
    await w.showProblems();
    await w.problems("[Ln 3, Col 12]").filter({ hasText: "EDB101" }).waitFor();
    await w.shot("notebook");
  });

  scenario(stage, "a change of settings takes effect without a restart", async (w) => {
    await w.openFile("gate.py");
    await w.squiggles().first().waitFor();
    w.write(".vscode/settings.json", JSON.stringify({ "exportdb.ignore": ["EDB101"] }));
    await eventually(
      () => w.squiggles().count(),
      (n) => n === 0,
      "squiggles with the rule off",
    );
    w.write(".vscode/settings.json", "{}");
    await w.squiggles().first().waitFor();
  });
}
