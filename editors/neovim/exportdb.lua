-- Neovim 0.7 to 0.10. Copy to ~/.config/nvim/lua/exportdb.lua and put require("exportdb").setup() into init.lua.
local M = {}

local function root_of(file)
  for _, marker in ipairs({ "pyproject.toml", "setup.py", "setup.cfg", ".git" }) do
    local found = vim.fn.finddir(marker, vim.fn.fnamemodify(file, ":h") .. ";")
    if found == "" then found = vim.fn.findfile(marker, vim.fn.fnamemodify(file, ":h") .. ";") end
    if found ~= "" then return vim.fn.fnamemodify(found, ":p:h" .. (found:sub(-1) == "/" and ":h" or "")) end
  end
  return vim.fn.fnamemodify(file, ":p:h")
end

local clients = {} -- by root: Neovim 0.7 starts a client for every call, 0.8 has vim.lsp.start for that

--- @param settings table|nil the settings of [tool.exportdb], in camelCase: { mode = "both" }
function M.setup(settings)
  vim.api.nvim_create_autocmd("FileType", {
    pattern = "python",
    callback = function(args)
      local root = root_of(vim.api.nvim_buf_get_name(args.buf))
      local config = {
        name = "exportdb",
        cmd = { "exportdb-lsp", "--stdio" },
        root_dir = root,
        settings = { exportdb = settings or vim.empty_dict() },
      }
      if vim.lsp.start then
        vim.lsp.start(config, { bufnr = args.buf })
      else
        config.on_exit = function() clients[root] = nil end
        clients[root] = clients[root] or vim.lsp.start_client(config)
        vim.lsp.buf_attach_client(args.buf, clients[root])
      end
    end,
  })
end

return M
