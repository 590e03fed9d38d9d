import assert from "node:assert/strict";
import { scenario, type Stage } from "./scenario";
import { eventually } from "./workbench";

export function fixes(stage: () => Stage): void {
  scenario(stage, "a quick fix rewrites the branch to torch.cond, and undo brings it back", async (w) => {
    await w.openCopy("gate.py", "gate_fixed.py");
    await w.squiggles().first().waitFor();
    const before = w.read("gate_fixed.py");
    await w.quickFixMenu(15, 14, /torch\.cond/);
    await w.shot("quick-fix-menu");
    await w.page.keyboard.press("Enter"); // the preferred fix is first
    await w.page.locator(".view-line", { hasText: "torch.cond(" }).first().waitFor();
    await eventually(
      () => w.squiggles().count(),
      (n) => n === 0,
      "squiggles after the fix",
    );
    await w.shot("quick-fix-applied");
    await w.save("gate_fixed.py", (text) => text.includes("torch.cond("));
    await w.goto(1);
    await w.page.keyboard.press("Control+Z");
    await w.squiggles().first().waitFor();
    await w.save("gate_fixed.py", (text) => text === before);
  });

  scenario(stage, "safe fixes are made on save", async (w) => {
    await w.openCopy("smiling.py", "smiling_saved.py");
    w.write(
      ".vscode/settings.json",
      JSON.stringify({ "editor.codeActionsOnSave": { "source.fixAll.exportdb": "explicit" } }),
    );
    await w.squiggles().first().waitFor();
    await w.goto(11, 1);
    await w.page.keyboard.press("End");
    await w.page.keyboard.type("  # saved");
    await w.page.keyboard.press("Control+S");
    const text = await eventually(
      () => w.read("smiling_saved.py"),
      (t) => t.includes("# saved"),
      "the file on disk",
    );
    assert.match(text, /face = "😀"; y = torch\.where\(x\.sum\(\) > 0, x \+ 1, x - 1\)\n/);
  });
}
