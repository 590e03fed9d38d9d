import assert from "node:assert/strict";
import { scenario, type Stage } from "./scenario";
import { serverProcesses } from "./processes";
import { eventually } from "./workbench";

export function life(stage: () => Stage): void {
  scenario(stage, "the status item shows torch and mode, and opens a menu", async (w) => {
    await w.openFile("plain.py");
    await w
      .statusItem()
      .getByText(/torch \d+\.\d+.* · non-strict/)
      .waitFor();
    await w.statusItem().click();
    await w.page.locator(".quick-input-list .monaco-list-row", { hasText: "Restart server" }).waitFor();
    await w.shot("status-menu");
  });

  scenario(stage, "a server that is killed comes back, with one message", async (w, { server }) => {
    await w.openFile("gate.py");
    await w.squiggles().first().waitFor();
    const [victim, ...others] = serverProcesses(server.root);
    assert.ok(victim !== undefined && others.length === 0, "one server runs for this window");
    process.kill(victim, "SIGKILL");
    await w
      .notification(/stopped unexpectedly/)
      .first()
      .waitFor();
    const [next] = await eventually(
      () => serverProcesses(server.root),
      (pids) => pids.length === 1 && pids[0] !== victim,
      "a new server",
    );
    assert.notEqual(next, victim);
    await w.openFile("smiling.py");
    await w.squiggles().first().waitFor();
    assert.equal(await w.notification(/stopped unexpectedly/).count(), 1);
  });

  scenario(stage, "a rule's page opens inside VS Code", async (w) => {
    await w.openFile("gate.py");
    await w.squiggles().first().waitFor();
    await w.goto(15, 14);
    await w.command("ExportDB: Open Rule");
    await w.page.locator(".tab.active", { hasText: "EDB101" }).first().waitFor();
    await w.shot("rule");
  });

  scenario(stage, "a bug report has versions, settings and the log", async (w) => {
    await w.openFile("plain.py");
    await w
      .statusItem()
      .getByText(/torch \d/)
      .waitFor();
    await w.command("ExportDB: Collect a Bug Report");
    await w.page.locator(".view-line", { hasText: "# Bug report" }).first().waitFor();
    assert.match(await w.editorText(), /exportdb-lsp \| \d+\.\d+/);
  });
}
