-- Drives a headless Neovim with the configuration of editors/neovim. What went wrong is said on stderr, the exit code
-- tells. Works on 0.7 and 0.11, which is why it asks for what there is.
local function wait(what, condition)
  if not vim.wait(120000, condition, 50) then error("waited in vain for " .. what) end
end

local function lines(bufnr) return table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), "\n") end

local function marked(bufnr, source)
  return vim.tbl_filter(function(d) return d.source == source end, vim.diagnostic.get(bufnr))
end

local function run()
  local editors = vim.env.EDITORS
  if vim.lsp.enable then
    vim.opt.runtimepath:prepend(editors .. "/neovim")
    vim.lsp.enable("exportdb")
  else
    package.path = editors .. "/neovim/?.lua;" .. package.path
    require("exportdb").setup()
  end
  vim.cmd("filetype on")
  vim.cmd("edit " .. vim.fn.fnameescape(vim.env.MODEL))
  local bufnr = vim.api.nvim_get_current_buf()

  wait("the finding", function() return #marked(bufnr, "exportdb") == 1 end)
  local finding = marked(bufnr, "exportdb")[1]
  assert(finding.code == "EDB101", vim.inspect(finding))
  local line = vim.api.nvim_buf_get_lines(bufnr, finding.lnum, finding.lnum + 1, false)[1]
  -- Neovim counts bytes; there is an emoji before the mark.
  assert(line:sub(finding.col + 1, finding.end_col) == "x.sum() > 0", line:sub(finding.col + 1, finding.end_col))

  local client = vim.tbl_values((vim.lsp.get_clients or vim.lsp.buf_get_clients)(vim.lsp.get_clients and { bufnr = bufnr } or bufnr))[1]
  local answered
  local params = { command = "exportdb.export", arguments = { { uri = vim.uri_from_bufnr(bufnr) } } }
  local handler = function(err, result) answered = err or result end
  if vim.lsp.get_clients then client:request("workspace/executeCommand", params, handler, bufnr)
  else client.request("workspace/executeCommand", params, handler, bufnr) end
  wait("the export", function() return answered ~= nil end)
  assert(answered.results and answered.results[1].outcome == "fails", vim.inspect(answered))
  wait("the verdict on the line", function()
    local marks = vim.diagnostic.get(bufnr)
    return #marks == 1 and marks[1].lnum == finding.lnum and marks[1].message:find("confirmed by an export", 1, true)
  end)

  local offered = {}
  vim.ui.select = function(items, options, choose)
    for _, item in ipairs(items) do
      local title = options.format_item and options.format_item(item) or ""
      offered[#offered + 1] = title
      if title:find("torch.cond", 1, true) then return choose(item) end
    end
    choose(nil)
  end
  vim.api.nvim_win_set_cursor(0, { finding.lnum + 1, finding.col })
  vim.lsp.buf.code_action()
  wait("the fix, of " .. vim.inspect(offered), function() return lines(bufnr):find("torch.cond(", 1, true) ~= nil end)
  wait("the marks to go", function() return #vim.diagnostic.get(bufnr) == 0 end)
  vim.cmd("write")
  -- The fixed model has a graph, which Neovim since 0.8 lets a server open.
  local lenses
  local document = { textDocument = vim.lsp.util.make_text_document_params(bufnr) }
  local keep = function(_, result) lenses = result end
  if vim.lsp.get_clients then client:request("textDocument/codeLens", document, keep, bufnr)
  else client.request("textDocument/codeLens", document, keep, bufnr) end
  wait("the lenses", function() return lenses ~= nil end)
  local graph = vim.tbl_filter(function(lens) return lens.command and lens.command.title == "Graph" end, lenses)[1]
  assert((graph ~= nil) == (vim.lsp.enable ~= nil), vim.inspect(lenses))
  if graph then
    client:exec_cmd(graph.command, { bufnr = bufnr })
    wait("the graph", function() return vim.api.nvim_buf_get_name(0):find("Net %(non%-strict%)%.txt$") ~= nil end)
    assert(lines(0):find("cond", 1, true), lines(0))
  end
  local v = vim.version()
  io.stdout:write(string.format("neovim %d.%d.%d, %s\n", v.major, v.minor, v.patch, client.offset_encoding))
end

local ok, problem = xpcall(run, debug.traceback)
if not ok then
  io.stderr:write("\n" .. tostring(problem) .. "\n")
  vim.cmd("cquit 1")
end
vim.cmd("qa!")
