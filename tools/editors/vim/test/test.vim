" test.vim - syntax and indent, in Vim and Neovim: vim -Nu NONE -n -es -S tools/editors/vim/test/test.vim
" Run in the root of the repository. Prints what failed, then "N passed, N failed".
set nocompatible runtimepath^=tools/editors/vim
filetype plugin indent on
syntax on

let s:passed = 0
let s:lines = []

function! s:Is(got, want, what)
  if a:got ==# a:want
    let s:passed += 1
  else
    call add(s:lines, "FAIL " . a:what . ": got '" . a:got . "', wanted '" . a:want . "'")
  endif
endfunction

" Each row: a line, a word in it, the group that colours the word.
let s:words = [
  \ ['workflow w {', 'workflow', 'axfBlock'],
  \ ['workflow w {', 'w {', 'axfLabel'],
  \ ['  task task {', 'task', 'axfBlock'],
  \ ['  task load-all {', 'load-all', 'axfLabel'],
  \ ['  retry { max = 3 }', 'retry', 'axfBlock'],
  \ ['  retry { max = 3 }', 'max', 'axfAttribute'],
  \ ['  retry { max = 3 }', '3', 'axfNumber'],
  \ ['  timeout = 1h30m', 'timeout', 'axfAttribute'],
  \ ['  timeout = 1h30m', '1h30m', 'axfNumber'],
  \ ['  start = 2026-11-30', '2026', 'axfNumber'],
  \ ['  failure_policy = branch', 'branch', 'axfValue'],
  \ ['  enabled = false', 'false', 'axfConstant'],
  \ ['  on = [exit(75), timeout]', 'exit', 'axfForm'],
  \ ['  on = [exit(75), timeout]', 'timeout', 'axfValue'],
  \ ['  param x : date = date', 'date', 'axfType'],
  \ ['  param xs : list(int)', 'list', 'axfType'],
  \ ['  a:failed -> b', 'failed', 'axfOutcome'],
  \ ['  a:failed -> b', '->', 'axfArrow'],
  \ ['  [a, b]:done -> c', 'done', 'axfOutcome'],
  \ ['  when = not full and date > x', 'not', 'axfOperator'],
  \ ['  run = "x {{ format(date, "%d") }} y"', 'run', 'axfAttribute'],
  \ ['  run = "x {{ format(date, "%d") }} y"', 'x ', 'axfString'],
  \ ['  run = "x {{ format(date, "%d") }} y"', '{{', 'axfBraces'],
  \ ['  run = "x {{ format(date, "%d") }} y"', 'format', 'axfFunction'],
  \ ['  run = "x {{ format(date, "%d") }} y"', 'date', 'axfRoot'],
  \ ['  run = "x {{ format(date, "%d") }} y"', 'y"', 'axfString'],
  \ ['  run = "a \n \{{ b"', '\n', 'axfEscape'],
  \ ['  run = ''{{ raw }}''', '{{', 'axfRaw'],
  \ ['  x = 1 # run = 2', 'run', 'axfComment'],
  \ ['  x = "a # b"', '# b', 'axfString'],
  \ ]

" Each text gets a buffer of its own: without a screen, Vim does not notice that one changed.
function! s:Open(lines)
  silent enew!
  call setline(1, a:lines)
  set filetype=axf
endfunction

function! s:CheckWords()
  for [line, word, group] in s:words
    call s:Open([line])
    let column = stridx(line, word) + 1
    call s:Is(synIDattr(synID(1, column, 1), 'name'), group, "'" . word . "' in '" . line . "'")
  endfor
endfunction

" Indenting a formatted file changes nothing, also if all indent but that of texts was lost.
function! s:CheckIndent(file)
  let want = readfile(a:file)
  call s:Open(want)
  silent normal! gg=G
  call s:Is(join(getline(1, '$'), "\n"), join(want, "\n"), a:file . ' indented again')
  let lines = map(copy(want), {i, line -> s:IsText(i + 1) ? line : substitute(line, '^\s*', '', '')})
  call s:Open(lines)
  silent normal! gg=G
  call s:Is(join(getline(1, '$'), "\n"), join(want, "\n"), a:file . ' indented anew')
endfunction

function! s:IsText(lnum)
  return synIDattr(synID(a:lnum, 1, 1), 'name') =~# 'BlockString\|BlockRaw'
endfunction

call s:CheckWords()
for s:file in glob('examples/workflows/*.axf', 0, 1)
  call s:CheckIndent(s:file)
endfor
execute 'silent edit!' s:file
call s:Is(&filetype, 'axf', 'the type of *.axf')
call s:Is(&commentstring, '# %s', 'commentstring')

call add(s:lines, s:passed . ' passed, ' . len(s:lines) . ' failed')
call writefile(s:lines, exists('$OUT') ? $OUT : '/dev/stdout')
execute 'cquit' len(s:lines) > 1
