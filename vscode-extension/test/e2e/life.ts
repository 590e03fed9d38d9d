import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import path from "node:path";
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
    await w.command("Notifications: Show Notifications");
    assert.equal(await w.notification(/stopped unexpectedly/).count(), 1);
  });

  scenario(
    stage,
    "an environment without the server: one message, with what helps",
    async (w, { needs, server }) => {
      const bare = path.join(server.root, "bare");
      execFileSync(needs.interpreter, ["-m", "venv", "--without-pip", bare]);
      const interpreter = path.join(bare, "bin", "python");
      server.writeSettings({ "exportdb.path": "", "exportdb.interpreter": interpreter });
      try {
        await w.openFile("plain.py");
        const message = w.notification(/not installed in the selected Python environment/).first();
        await message.waitFor();
        await w.statusItem().getByText("no server").waitFor();
        assert.equal(await w.page.locator(".notification-list-item").count(), 1, "one message");
        await w.shot("install");
        await message.getByRole("button", { name: "Install into This Environment" }).click();
        // That environment has no pip either, and the message says so.
        await w
          .notification(/No module named pip/)
          .first()
          .waitFor();
      } finally {
        server.writeSettings({});
      }
      await w
        .statusItem()
        .getByText(/torch \d/)
        .waitFor();
    },
  );

  scenario(stage, "a setting that names no program is an error that says so", async (w, { server }) => {
    server.writeSettings({ "exportdb.path": "/nowhere/exportdb-lsp" });
    try {
      await w.openFile("plain.py");
      await w
        .notification(/exportdb\.path names \/nowhere\/exportdb-lsp.*no such program/)
        .first()
        .waitFor();
    } finally {
      server.writeSettings({});
    }
    await w
      .statusItem()
      .getByText(/torch \d/)
      .waitFor();
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
