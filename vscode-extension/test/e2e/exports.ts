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
    await w.openCopy("gate.py", "gate_edited.py");
    await w.codeLens(EXPORT).first().waitFor();
    await w.showProblems();
    await w.codeLens(EXPORT).first().click();
    await w.goto(15, 9);
    await w.page.keyboard.press("End");
    await w.page.keyboard.type("  # edited");
    await w
      .statusItem()
      .getByText(/torch \d/)
      .waitFor();
    await w.command("ExportDB: Export All Models of This File");
    // The second export answers after the first one: by then a stale verdict would have been shown.
    await w
      .notification(/Gate: fails/)
      .first()
      .waitFor();
    await eventually(
      () => w.problems(/exportdb \(export\)/).count(),
      (n) => n > 0,
      "the verdict of the second export",
    );
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
      await graph.locator(".view-line", { hasText: "aten.add" }).first().click();
      await eventually(
        () => w.page.locator(".editor-instance .view-overlays .cdr").count(),
        (n) => n > 0,
        "the highlighted line",
      );
      await w.shot("graph");
    },
  );
}
