---@brief
---
--- https://github.com/exportdb-lsp/exportdb-lsp
---
--- `exportdb-lsp` marks the lines of a PyTorch model that `torch.export` fails on or traces wrongly, proves it with a real
--- export, and rewrites them. It needs no torch to check, and runs beside a type checker.
---
--- ```sh
--- pipx install exportdb-lsp
--- ```
---
--- The settings are those of `[tool.exportdb]` in pyproject.toml, in camelCase:
---
--- ```lua
--- vim.lsp.config('exportdb', {
---   settings = { exportdb = { mode = 'both' } },
--- })
--- ```
---
--- Nothing of a project is run without a command unless you trust what you open: `init_options = { trusted = true }`.

---@type vim.lsp.Config
return {
  cmd = { 'exportdb-lsp', '--stdio' },
  filetypes = { 'python' },
  root_markers = { 'pyproject.toml', 'setup.py', 'setup.cfg', '.git' },
  settings = { exportdb = {} },
}
