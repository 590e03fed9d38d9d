import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Prerequisites } from "./prerequisites";
import { scenario, type Stage } from "./scenario";

/** A virtual environment without anything in it, but pip if asked for. Its interpreter. */
function environment(needs: Prerequisites, folder: string, pip: boolean): string {
  execFileSync(needs.interpreter, ["-m", "venv", ...(pip ? [] : ["--without-pip"]), folder]);
  return path.join(folder, "bin", "python");
}

/** Puts a wheel of the server under test, and of what it depends on, where pip of this VS Code looks. */
function buildWheels(needs: Prerequisites, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const pip = (...args: string[]) =>
    execFileSync(needs.interpreter, ["-m", "pip", "--quiet", "--disable-pip-version-check", ...args], {
      stdio: ["ignore", "ignore", "inherit"],
    });
  const root = path.resolve("..");
  pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, root);
  const wheel = readdirSync(folder).find((name) => name.startsWith("exportdb_lsp"));
  assert.ok(wheel !== undefined);
  pip(
    "download",
    "--constraint",
    path.join(root, "constraints.txt"),
    "--dest",
    folder,
    path.join(folder, wheel),
  );
}

export function environments(stage: () => Stage): void {
  scenario(
    stage,
    "an environment without the server: one message, which tells why an install failed",
    async (w, { needs, server }) => {
      const interpreter = environment(needs, path.join(server.root, "without-pip"), false);
      try {
        await w.machineSettings(server, { "exportdb.path": "", "exportdb.interpreter": interpreter });
        await w.openFile("plain.py");
        const message = await w.message(/not installed in the selected Python environment/);
        await w.status("server not found");
        assert.equal(await w.notification(/./).count(), 1, "one message");
        await w.picture("install");
        await message.getByRole("button", { name: "Install into This Environment" }).click();
        await w.message(/No module named pip/);
      } finally {
        await w.machineSettings(server, {});
      }
      await w.status(/torch \d/);
    },
  );

  scenario(
    stage,
    "a server that is too old is not started, and the message says so",
    async (w, { needs, server }) => {
      const folder = path.join(server.root, "with-an-old-server");
      const interpreter = environment(needs, folder, false);
      const [python] = readdirSync(path.join(folder, "lib"));
      assert.ok(python !== undefined);
      const old = path.join(folder, "lib", python, "site-packages", "exportdb_lsp");
      mkdirSync(old);
      writeFileSync(path.join(old, "__main__.py"), 'print("exportdb-lsp 0.0.9")\n');
      try {
        await w.machineSettings(server, { "exportdb.path": "", "exportdb.interpreter": interpreter });
        await w.openFile("plain.py");
        const message = await w.message(/exportdb-lsp 0\.0\.9 is too old/);
        await message.getByRole("button", { name: "Install into This Environment" }).waitFor();
        await message.getByRole("button", { name: "Show How" }).waitFor();
        assert.equal(await w.notification(/./).count(), 1, "one message");
        await w.status("server not found");
      } finally {
        await w.machineSettings(server, {});
      }
      await w.status(/torch \d/);
    },
  );

  scenario(
    stage,
    "the server is installed into the selected environment, and runs there",
    async (w, { needs, server }) => {
      buildWheels(needs, server.wheels);
      const folder = path.join(server.root, "with-pip");
      const interpreter = environment(needs, folder, true);
      try {
        await w.machineSettings(server, { "exportdb.path": "", "exportdb.interpreter": interpreter });
        await w.openFile("gate.py");
        const message = await w.message(/not installed in the selected Python environment/);
        await message.getByRole("button", { name: "Install into This Environment" }).click();
        await w.message("Installing exportdb-lsp");
        await w.status("no torch");
        await w.squiggles().first().waitFor();
        const [program] = readdirSync(path.join(folder, "bin")).filter((name) => name === "exportdb-lsp");
        assert.equal(program, "exportdb-lsp");
      } finally {
        await w.machineSettings(server, {});
      }
      await w.status(/torch \d/);
    },
  );
}
