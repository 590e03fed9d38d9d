import assert from "node:assert/strict";
import { scenario, type Stage } from "./scenario";
import { EXPORT, eventually } from "./workbench";

export function explorer(stage: () => Stage): void {
  scenario(stage, "a model is run from its line, and the failing line says why", async (w) => {
    await w.openFile("gate.py");
    await w.codeLens(EXPORT).first().waitFor();
    await w.goto(16, 9);
    await w.command("Test: Run Test at Cursor");
    const message = w.page.locator(".test-error-content-widget", {
      hasText: "export cannot choose a branch",
    });
    await message.first().waitFor();
    await w.shot("test-result");
  });

  scenario(stage, "a divergence is shown as expected and actual", async (w) => {
    await w.openFile("counter.py");
    await w.codeLens(EXPORT).first().waitFor();
    await w.goto(8);
    await w.command("Test: Run Test at Cursor");
    await w.page
      .locator(".test-error-content-widget", { hasText: /exported: .* != eager: / })
      .first()
      .waitFor();
    await w.goto(14);
    await w.command("Test: Peek Output");
    const peek = w.page.locator(".test-output-peek");
    await peek.locator(".view-line", { hasText: "eager: " }).first().waitFor();
    await peek.locator(".view-line", { hasText: "exported: " }).first().waitFor();
    await w.shot("test-diverges");
    await w.page.keyboard.press("Escape");
  });

  scenario(
    stage,
    "the Test Explorer lists models, runs them, shows what passed and what failed",
    async (w) => {
      await w.openFile("gate.py");
      await w.codeLens(EXPORT).first().waitFor();
      await w.command("Testing: Focus on Test Explorer View");
      const rows = w.page.locator(".test-explorer .monaco-list-row");
      const files = await eventually(
        async () => (await rows.allInnerTexts()).map((text) => text.trim()),
        (texts) =>
          ["counter.py", "smiling.py", "gate.py", "plain.py"].every((f) => texts.some((t) => t.includes(f))),
        "files in the Test Explorer",
      );
      assert.ok(!files.some((text) => text.includes("no_model")), files.join());
      await w.command("Test: Run All Tests");
      await eventually(
        async () => (await w.page.locator(".test-explorer .computed-state").allInnerTexts()).length,
        (n) => n > 0,
        "results",
      );
      const state = (file: string) =>
        rows.filter({ hasText: file }).first().locator(".computed-state").first().getAttribute("class");
      await eventually(
        () => state("plain.py"),
        (c) => (c ?? "").includes("passed"),
        "plain.py",
      );
      await eventually(
        () => state("gate.py"),
        (c) => /error|failed/.test(c ?? ""),
        "gate.py",
      );
      await w.shot("test-explorer");
    },
  );
}
