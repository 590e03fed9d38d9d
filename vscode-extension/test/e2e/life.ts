import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { eventually } from "./eventually";
import { runs, serverProcesses } from "./processes";
import { scenario, type Stage } from "./scenario";

/** The one server of the window. */
function only(home: string, but?: number): Promise<number> {
  return eventually(
    () => serverProcesses(home).filter(runs),
    (pids) => pids.length === 1 && pids[0] !== but,
    "one server",
  ).then(([pid]) => pid ?? 0);
}

export function life(stage: () => Stage): void {
  scenario(stage, "the status item shows torch and mode, and opens a menu", async (w) => {
    await w.openFile("plain.py");
    await w.status(/torch \d+\.\d+.* · non-strict/);
    await w.statusItem().click();
    await w.page.locator(".quick-input-list .monaco-list-row", { hasText: "Restart server" }).waitFor();
    await w.picture("status-menu");
  });

  scenario(stage, "a server that is killed comes back, with one message", async (w, { server }) => {
    await w.openFile("gate.py");
    await w.squiggles().first().waitFor();
    const victim = await only(server.root);
    process.kill(victim, "SIGKILL");
    await w.message(/crashed and is restarting/);
    await only(server.root, victim);
    await w.openFile("smiling.py");
    await w.squiggles().first().waitFor();
    await w.command("Notifications: Show Notifications");
    assert.equal(await w.notification(/./).count(), 1);
  });

  scenario(
    stage,
    "a server that hangs, at the start or later, is replaced on request",
    async (w, { server }) => {
      const deaf = path.join(server.root, "deaf-exportdb-lsp");
      const version = 'if sys.argv[1:] == ["--version"]: sys.exit(print("exportdb-lsp 99.0"))';
      writeFileSync(deaf, `#!/usr/bin/env python3\nimport sys, time\n${version}\ntime.sleep(600)\n`);
      chmodSync(deaf, 0o755);
      await w.openFile("gate.py");
      await w.squiggles().first().waitFor();
      const healthy = await only(server.root);
      try {
        await w.machineSettings(server, { "exportdb.path": deaf });
        const first = await only(server.root, healthy);
        await w.command("ExportDB: Restart Server");
        const second = await only(server.root, first);
        assert.ok(!runs(first) && runs(second), "the new one has taken the place of the old one");
      } finally {
        await w.machineSettings(server, {});
      }
      await w.status(/torch \d/);
      const frozen = await only(server.root);
      process.kill(frozen, "SIGSTOP");
      await w.command("ExportDB: Restart Server");
      await only(server.root, frozen);
      await w.status(/torch \d/);
      await w.squiggles().first().waitFor();
      assert.equal(
        await w.notification(/crashed and is restarting/).count(),
        0,
        "nobody is told what they asked for",
      );
    },
  );

  scenario(stage, "a setting that names no program is an error that says so", async (w, { server }) => {
    try {
      await w.machineSettings(server, { "exportdb.path": "/nowhere/exportdb-lsp" });
      await w.openFile("plain.py");
      await w.message(/exportdb\.path names \/nowhere\/exportdb-lsp.*no such program/);
      await w.status("server not found");
    } finally {
      await w.machineSettings(server, {});
    }
    await w.status(/torch \d/);
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
    await w.status(/torch \d/);
    await w.command("ExportDB: Collect a Bug Report");
    await w.page.locator(".view-line", { hasText: "# Bug report" }).first().waitFor();
    assert.match(await w.editorText(), /exportdb-lsp \| \d+\.\d+/);
  });

  scenario(stage, "the walkthrough opens, and its steps lead to the commands", async (w) => {
    // With the whole width the steps have their pictures beside them.
    await w.command("View: Toggle Primary Side Bar Visibility");
    await w.command("Welcome: Open Walkthrough...");
    await w.pick("Get a model through torch.export");
    const steps = w.page.locator(".getting-started-step");
    for (const title of [
      "Select the environment",
      "Read the findings",
      "Confirm with a real export",
      "Inspect the graph",
    ]) {
      await steps.filter({ hasText: title }).first().waitFor();
    }
    await steps.filter({ hasText: "Read the findings" }).first().click();
    await w.page.getByRole("button", { name: "Check the whole workspace" }).first().waitFor();
    await w.picture("walkthrough");
    await w.command("View: Toggle Primary Side Bar Visibility");
  });
}
