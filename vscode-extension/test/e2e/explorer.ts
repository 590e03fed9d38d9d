import assert from "node:assert/strict";
import { eventually, retry } from "./eventually";
import { runs } from "./processes";
import { scenario, type Stage } from "./scenario";
import { EXPORT, type Workbench } from "./workbench";

/** The verdict that stands in the editor, beside the failing line. */
const message = (w: Workbench, text: string | RegExp) =>
  w.page.locator(".test-error-content-widget", { hasText: text });

export function explorer(stage: () => Stage): void {
  scenario(stage, "a model is run from its line, and the failing line says why", async (w) => {
    await w.openFile("gate.py");
    await w.codeLens(EXPORT).first().waitFor();
    await w.goto(16, 9);
    await w.command("Test: Run Test at Cursor");
    await message(w, "Data-dependent branch").first().waitFor();
    await w.picture("test-result");
  });

  scenario(stage, "a divergence is shown as expected and actual", async (w) => {
    await w.openFile("counter.py");
    await w.codeLens(EXPORT).first().waitFor();
    await w.goto(8);
    await w.command("Test: Run Test at Cursor");
    await message(w, /exported: .* != eager: /)
      .first()
      .waitFor();
    await w.goto(14);
    await w.command("Test: Peek Output");
    const peek = w.page.locator(".test-output-peek");
    await peek.locator(".view-line", { hasText: "eager: " }).first().waitFor();
    await peek.locator(".view-line", { hasText: "exported: " }).first().waitFor();
    await w.picture("test-diverges");
    await w.page.keyboard.press("Escape");
  });

  scenario(stage, "a run that is cancelled ends, and so does the export", async (w) => {
    w.write("wait", "");
    await w.openCopy("slow.py", "slow_cancelled.py");
    await w.codeLens(EXPORT).first().waitFor();
    await w.goto(22);
    await w.command("Test: Run Test at Cursor");
    await w.status("Exporting Slow");
    const pid = Number(
      await eventually(
        () => w.read("wait"),
        (text) => text !== "",
        "the process that exports",
      ),
    );
    await retry(async (soon) => {
      await w.page.keyboard.press("Control+;");
      await w.page.keyboard.press("Control+X");
      await w
        .statusItem()
        .getByText(/torch \d/)
        .waitFor(soon);
    });
    await eventually(
      () => runs(pid),
      (still) => !still,
      "the process of a cancelled export",
    );
    assert.ok(w.exists("wait"), "the export would still wait");
    assert.equal(await message(w, /./).count(), 0, "no verdict");
    w.remove("wait");
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
      const states = async () =>
        Object.fromEntries(
          await Promise.all(
            (await rows.all()).map(async (row) => [
              ((await row.textContent()) ?? "").replace(/\.py.*/, ".py"),
              (await row.locator(".computed-state").first().getAttribute("class")) ?? "",
            ]),
          ),
        ) as Record<string, string>;
      // Other tests have exported these models too: what they found must not count.
      await w.command("Test: Clear All Results");
      await eventually(
        states,
        (now) => !Object.values(now).some((state) => /testing-(passed|failed|error)/.test(state)),
        "results that were cleared",
      );
      await w.command("Test: Run All Tests");
      const done = await eventually(
        states,
        (now) => {
          const all = Object.values(now).join(" ");
          return /testing-(passed|failed)/.test(all) && !/testing-(queued|loading|unset)|loading/.test(all);
        },
        "a run that is over",
      );
      for (const file of ["plain.py", "shapes.py"]) assert.match(done[file] ?? "", /testing-passed/, file);
      for (const file of ["counter.py", "gate.py", "slow.py", "smiling.py"]) {
        assert.match(done[file] ?? "", /testing-(failed|error)/, file);
      }
      await w.picture("test-explorer");
      await w.command("View: Show Explorer");
    },
  );
}
