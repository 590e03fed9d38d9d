import assert from "node:assert/strict";
import { scenario, type Stage } from "./scenario";
import { EXPORT, eventually, PATIENCE } from "./workbench";

export function exports(stage: () => Stage): void {
  scenario(stage, "an export from the CodeLens shows progress, then the verdict on its line", async (w) => {
    await w.openFile("gate.py");
    await w.codeLens(EXPORT).first().waitFor();
    const item = w.page.locator(".statusbar-item", { hasText: /export/i });
    await w.codeLens(EXPORT).first().click();
    await eventually(
      async () => (await item.allInnerTexts()).join(" "),
      (text) => /Gate|exporting|torch\.export/i.test(text),
      "progress in the status bar",
    );
    await w.shot("export-progress");
    await w.showProblems();
    const row = w.problems(/exportdb \(export\)/).first();
    await row.waitFor();
    assert.match((await row.innerText()).replace(/\s+/g, " "), /Ln 15,/);
    await w.shot("export-verdict");
  });

  scenario(stage, "an edit during an export drops its verdict", async (w) => {
    await w.command("ExportDB: Clear Verdicts");
    await w.openCopy("slow.py", "slow_edited.py");
    await w.showProblems();
    await w.codeLens(EXPORT).first().waitFor();
    await w.codeLens(EXPORT).first().click();
    await w.statusItem().getByText("Exporting Slow").waitFor();
    await w.goto(1);
    await w.page.keyboard.type("# edited ");
    assert.ok(await w.statusItem().getByText("Exporting Slow").isVisible(), "the export goes on");
    await w
      .statusItem()
      .getByText(/torch \d/)
      .waitFor();
    // The server keeps the verdict and says that it is old; no line is marked by it.
    await w
      .codeLens(/non-strict: fails \(of an older text\)/)
      .first()
      .waitFor();
    assert.equal(await w.problems(/exportdb \(export\)/).count(), 0);
  });

  scenario(
    stage,
    "the exported graph stands beside the source, and a click on a node finds its line",
    async (w) => {
      await w.openFile("plain.py");
      await w.codeLens(EXPORT).first().waitFor();
      await w.goto(10, 9);
      await w.command("ExportDB: Show Exported Graph");
      await w.page.locator(".quick-input-list .monaco-list-row", { hasText: "non-strict" }).first().click();
      const graph = w.page.locator(".editor-instance", { hasText: "aten" }).last();
      await graph.waitFor({ timeout: PATIENCE });
      // Both sides are highlighted: the node, and the line that it came from. Then the other way round.
      const highlighted = w.page.locator(".editor-instance .view-overlays .cdr[class*=ced-]");
      await graph.locator(".view-line", { hasText: "aten.add" }).first().click();
      await eventually(
        () => highlighted.count(),
        (n) => n >= 2,
        "highlights after a click on a node",
      );
      await w.shot("graph");
      const source = w.page.locator(".editor-instance", { hasText: "A model that exports" }).first();
      await source.locator(".view-line", { hasText: "import torch" }).first().click();
      await eventually(
        () => highlighted.count(),
        (n) => n === 0,
        "highlights of a line that became no node",
      );
      await source.locator(".view-line", { hasText: "torch.relu" }).first().click();
      await eventually(
        () => highlighted.count(),
        (n) => n >= 3,
        "highlights of a line that became two nodes",
      );
    },
  );
}
