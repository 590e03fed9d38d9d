import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { scenario, type Stage } from "./scenario";

/** Runs in a VS Code server that asks for trust, and was not given any. */
export function trust(stage: () => Stage): void {
  scenario(stage, "an untrusted workspace is analysed, and nothing of it is run", async (w) => {
    await w.page.getByRole("button", { name: "No, I don't trust the authors" }).click();
    await w.openFile("gate.py");
    await w.squiggles().first().waitFor();
    await w.command("ExportDB: Export This Model");
    await w
      .notification(/not trusted/)
      .first()
      .waitFor();
    await w.shot("untrusted");
    assert.ok(!existsSync(`${w.folder}/__pycache__`), "nothing was imported");
  });
}
