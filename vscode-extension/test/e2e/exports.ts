import assert from "node:assert/strict";
import { eventually } from "./eventually";
import { runs } from "./processes";
import { scenario, type Stage } from "./scenario";
import { EXPORT } from "./workbench";

export function exports(stage: () => Stage): void {
  scenario(stage, "an export from the CodeLens shows progress, then the verdict on its line", async (w) => {
    await w.openFile("gate.py");
    await w.showProblems();
    await w.watchStatus();
    await w.export();
    const row = w.problems(/confirmed by an export of/).first();
    await row.waitFor();
    assert.match((await row.innerText()).replace(/\s+/g, " "), /Ln 15,/);
    await w
      .codeLens(/✗ strict: fails/)
      .first()
      .waitFor();
    const seen = await w.statusSeen();
    assert.ok(
      seen.some((text) => text.includes("Exporting Gate")),
      `progress in the status bar: ${seen.join(" | ")}`,
    );
    await w.picture("export-verdict");
    await w.command("ExportDB: Clear Verdicts");
    await row.waitFor({ state: "detached" });
  });

  scenario(stage, "the lens of one mode exports in that mode alone", async (w) => {
    await w.openFile("gate.py");
    await w.export(/^\s*non-strict$/);
    await w
      .codeLens(/✗ non-strict: fails/)
      .first()
      .waitFor();
    assert.equal(await w.codeLens(/✗ strict: fails/).count(), 0);
    await w.command("ExportDB: Clear Verdicts");
    await w.codeLens(/✗/).first().waitFor({ state: "detached" });
  });

  scenario(stage, "an edit during an export ends it, an edit after it drops its verdict", async (w) => {
    w.write("wait", "");
    await w.openCopy("slow.py", "slow_edited.py");
    await w.showProblems();
    await w.export();
    await w.status("Exporting Slow");
    const pid = Number(
      await eventually(
        () => w.read("wait"),
        (text) => text !== "",
        "the process that exports",
      ),
    );
    await w.goto(1);
    await w.page.keyboard.type("# edited ");
    await w.status(/torch \d/);
    await eventually(
      () => runs(pid),
      (still) => !still,
      "the process of an export whose text was edited",
    );
    assert.ok(w.exists("wait"), "the export would still wait");
    const said = w.page.locator(".test-error-content-widget, .notification-list-item");
    assert.equal(await w.codeLens(/(strict|non-strict): /).count(), 0, "no verdict");
    assert.equal(await said.count(), 0, "nobody is told what they did");
    w.remove("wait");

    await w.export();
    const row = w.problems(/confirmed by an export of/).first();
    await row.waitFor();
    await w.goto(1);
    await w.page.keyboard.type("# again ");
    await row.waitFor({ state: "detached" });
    // The server keeps the verdict and says that it is old; no line is marked by it.
    await w
      .codeLens(/non-strict: fails \(stale\)/)
      .first()
      .waitFor();
  });

  scenario(stage, "all models of a file are exported, also after the worker was restarted", async (w) => {
    await w.openFile("plain.py");
    await w.codeLens(EXPORT).first().waitFor();
    await w.command("ExportDB: Restart Worker");
    await w.command("ExportDB: Export All Models of This File");
    await w.message("Plain: ok (non-strict), ok (strict)");
    await w
      .codeLens(/✓ non-strict: exports/)
      .first()
      .waitFor();
  });

  scenario(stage, "a file is exported when it is saved, where somebody wants that", async (w) => {
    await w.settings({ "exportdb.exportOnSave": true });
    await w.openCopy("plain.py", "plain_saved.py");
    await w.codeLens(EXPORT).first().waitFor();
    await w.goto(1);
    await w.page.keyboard.type("# saved ");
    await w.save("plain_saved.py", (text) => text.includes("# saved"));
    await w
      .codeLens(/✓ non-strict: exports/)
      .first()
      .waitFor();
  });

  scenario(stage, "after an export, hints show the symbolic shapes", async (w) => {
    await w.settings({ "exportdb.inlayHints": true });
    await w.openFile("shapes.py");
    await w.export();
    // The batch is a symbol, the 3 is not, and a reshape multiplies them.
    await w.page
      .locator(".view-line", { hasText: /hidden:\s*float32\[s\d+,\s*3\]/ })
      .first()
      .waitFor();
    await w.page
      .locator(".view-line", { hasText: /flat:\s*float32\[3\*s\d+\]/ })
      .first()
      .waitFor();
    await w.picture("inlay-hints");
  });

  scenario(
    stage,
    "the exported graph stands beside the source, and a click on either side finds the other",
    async (w) => {
      await w.openFile("plain.py");
      await w.codeLens(EXPORT).first().waitFor();
      await w.goto(10, 9);
      await w.command("ExportDB: Show Exported Graph");
      await w.pick("non-strict");
      const graph = w.page.locator(".editor-instance", { hasText: "aten" }).last();
      await graph.waitFor();
      // Both sides are highlighted: the node, and the line that it came from. Then the other way round.
      const highlighted = w.page.locator(".editor-instance .view-overlays .cdr[class*=ced-]");
      await graph.locator(".view-line", { hasText: "aten.add" }).first().click();
      await eventually(
        () => highlighted.count(),
        (n) => n >= 2,
        "highlights after a click on a node",
      );
      await w.picture("graph");
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
