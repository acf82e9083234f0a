-- lsp.lua - Neovim's own client against axc lsp: nvim --headless -u NONE -n -c 'luafile tools/editors/vim/test/lsp.lua'
-- Runs in the root of the repository, with axc in PATH. Writes what failed, then "N passed, N failed", to $OUT.
local passed, lines = 0, {}

local function is(got, want, what)
  if vim.deep_equal(got, want) then
    passed = passed + 1
  else
    table.insert(lines, "FAIL " .. what .. ": got " .. vim.inspect(got) .. ", wanted " .. vim.inspect(want))
  end
end

local function ask(method, line, character, more)
  local params = { textDocument = vim.lsp.util.make_text_document_params(0) }
  params.position = { line = line, character = character }
  local answers = vim.lsp.buf_request_sync(0, method, vim.tbl_extend("force", params, more or {}), 20000)
  for _, answer in pairs(answers or {}) do
    return answer.result
  end
end

local function codes()
  return vim.tbl_map(function(d) return d.code end, vim.diagnostic.get(0))
end

local function run()
  vim.api.nvim_buf_set_name(0, "w.axf")
  vim.api.nvim_buf_set_lines(0, 0, -1, true, {
    "workflow w {",
    "  # 𝄞",
    "  task load {",
    "      timout = 5m",
    '      run = "𝄞 {{ date }}"',
    "  }",
    "  gate end_of_day { }",
    "  load -> end_of_day",
    "}",
  })
  local client = vim.lsp.start_client({ name = "axc", cmd = { "axc", "lsp" } })
  vim.lsp.buf_attach_client(0, client)
  vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end)
  is(codes(), { "E0203" }, "diagnostics")

  vim.api.nvim_buf_set_text(0, 3, 6, 3, 12, { "timeout" })
  vim.wait(20000, function() return #vim.diagnostic.get(0) == 0 end)
  is(codes(), {}, "diagnostics after an edit")

  local hover = ask("textDocument/hover", 4, 20)
  is(hover and hover.contents.value:match("the business date of the run"), "the business date of the run", "hover")

  local edit = ask("textDocument/rename", 7, 3, { newName = "fetch" })
  vim.lsp.util.apply_workspace_edit(edit, "utf-16")
  is(vim.api.nvim_buf_get_lines(0, 7, 8, true), { "  fetch -> end_of_day" }, "a reference after a rename")
  is(vim.api.nvim_buf_get_lines(0, 2, 3, true), { "  task fetch {" }, "the declaration after a rename")

  local edits = ask("textDocument/formatting", 0, 0, { options = { tabSize = 2, insertSpaces = true } })
  vim.lsp.util.apply_text_edits(edits, 0, "utf-16")
  is(vim.api.nvim_buf_get_lines(0, 3, 5, true), { "    timeout = 5m", '    run     = "𝄞 {{ date }}"' }, "formatting")
end

local ok, err = xpcall(run, debug.traceback)
if not ok then table.insert(lines, "FAIL " .. err) end
table.insert(lines, passed .. " passed, " .. #lines .. " failed")
vim.fn.writefile(lines, vim.env.OUT or "/dev/stdout")
vim.cmd(#lines > 1 and "cquit 1" or "cquit 0")
