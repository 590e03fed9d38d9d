import assert from "node:assert/strict";
import { scenario, type Stage } from "./scenario";

export function fixes(stage: () => Stage): void {
  scenario(stage, "a quick fix rewrites the branch to torch.cond, and undo brings it back", async (w) => {
    await w.openCopy("gate.py", "gate_fixed.py");
    await w.squiggles().first().waitFor();
    const before = w.read("gate_fixed.py");
    await w.export();
    await w.showProblems();
    await w
      .problems(/confirmed by an export of/)
      .first()
      .waitFor();
    await w.quickFixMenu(15, 14, /torch\.cond/);
    await w.picture("quick-fix-menu");
    await w.page.keyboard.press("Enter"); // the preferred fix is first
    await w.page.locator(".view-line", { hasText: "torch.cond(" }).first().waitFor();
    await w.noSquiggles("after the fix");
    await w.shot("quick-fix-applied");
    await w.save("gate_fixed.py", (text) => text.includes("torch.cond("));
    await w.goto(1);
    await w.page.keyboard.press("Control+Z");
    await w.squiggles().first().waitFor();
    await w.save("gate_fixed.py", (text) => text === before);
  });

  scenario(stage, "safe fixes are made on save", async (w) => {
    await w.settings({ "editor.codeActionsOnSave": { "source.fixAll.exportdb": "explicit" } });
    await w.openCopy("smiling.py", "smiling_saved.py");
    await w.squiggles().first().waitFor();
    await w.goto(11, 1);
    await w.page.keyboard.press("End");
    await w.page.keyboard.type("  # saved");
    const text = await w.save("smiling_saved.py", (now) => now.includes("# saved"));
    assert.match(text, /face = "😀"; y = torch\.where\(x\.sum\(\) > 0, x \+ 1, x - 1\)\n/);
  });

  scenario(stage, "the inputs that an export used are written above the model", async (w) => {
    await w.openCopy("plain.py", "plain_guessed.py");
    w.write("plain_guessed.py", w.read("plain_guessed.py").replace(/^# exportdb.*\n/m, ""));
    await w.page.locator(".view-line", { hasText: "# exportdb" }).first().waitFor({ state: "detached" });
    await w.goto(9);
    await w.command("ExportDB: Write Example Inputs Above This Model");
    await w.page.locator(".view-line", { hasText: "# exportdb: args=" }).first().waitFor();
  });
}
