-- Neovim 0.11 and newer. Copy to ~/.config/nvim/lsp/exportdb.lua and put vim.lsp.enable("exportdb") into init.lua.
return {
  cmd = { "exportdb-lsp", "--stdio" },
  filetypes = { "python" },
  root_markers = { "pyproject.toml", "setup.py", "setup.cfg", ".git" },
  -- The settings of [tool.exportdb], in camelCase: settings = { exportdb = { mode = "both" } }
  settings = { exportdb = {} },
}
