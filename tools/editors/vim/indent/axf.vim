" Indent of AX workflows: two columns for each bracket that is open, as `axc fmt` has it. The text of a block
" string is left as it is.
if exists("b:did_indent")
  finish
endif
let b:did_indent = 1

setlocal indentexpr=AxfIndent(v:lnum)
setlocal indentkeys=0{,0},0],0),!^F,o,O
let b:undo_indent = "setlocal indentexpr< indentkeys<"

if exists("*AxfIndent")
  finish
endif

" Brackets opened less brackets closed in a line, outside strings and comments; a closer at its beginning
" counts for the line itself.
function! s:Balance(lnum) abort
  let line = getline(a:lnum)
  let balance = 0
  let at = match(line, '[][(){}]')
  while at >= 0
    let kind = synIDattr(synID(a:lnum, at + 1, 1), "name")
    if kind !~# '^axf\%(String\|Raw\|BlockString\|BlockRaw\|Comment\|Braces\|Escape\|BlockEscape\|ExprIn\)$'
      let balance += line[at] =~# '[[({]' ? 1 : -1
    endif
    let at = match(line, '[][(){}]', at + 1)
  endwhile
  return balance
endfunction

" True if the line begins inside a block string.
function! s:IsText(lnum) abort
  let names = map(synstack(a:lnum, 1), 'synIDattr(v:val, "name")')
  return len(filter(names, 'v:val =~# "^axfBlock\\%(String\\|Raw\\)$"')) > 0
endfunction

function! AxfIndent(lnum) abort
  if s:IsText(a:lnum) && getline(a:lnum) !~# '^\s*\%("""\|' . "'''" . '\)'
    return -1
  endif
  let above = prevnonblank(a:lnum - 1)
  while above > 0 && s:IsText(above)
    let above = prevnonblank(above - 1)
  endwhile
  if above == 0
    return 0
  endif
  let opens = s:Balance(above) + (getline(above) =~# '^\s*[])}]')
  let closes = getline(a:lnum) =~# '^\s*[])}]'
  return indent(above) + shiftwidth() * ((opens > 0) - (opens < 0) - closes)
endfunction
