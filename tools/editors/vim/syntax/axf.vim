" Vim syntax of AX workflows.
"
" The lists of words are written by tools/dev/gen_editors.sh. All of them are `contained`: a word means what
" it means only where it stands as that, because names may be called anything.
if exists("b:current_syntax")
  finish
endif
let s:cpo_save = &cpo
set cpo&vim

syn case match
syn iskeyword @,48-57,_,-,.

" words: blocks
syn keyword axfBlock contained defaults env gate group let matrix output param retry schedule task template workflow
" words: attributes
syn keyword axfAttribute contained backoff catchup cron cwd doc enabled end every exclude exec failure_policy finally idempotent jitter join kill_after max max_active_runs on owner priority run shell skip_on start tags timeout timezone title when window
" words: types
syn keyword axfType contained bool date duration float instant int list percent size string time
" words: outcomes
syn keyword axfOutcome contained done failed passed skipped succeeded
" words: roots
syn keyword axfRoot contained attempt date interval.end interval.start node.name run.id scheduled_at tomorrow yesterday
" words: functions
syn keyword axfFunction contained add coalesce end_of format join json len lower replace split start_of upper weekday
" words: forms
syn keyword axfForm contained at_least exit exponential
" words: values
syn keyword axfValue contained abort all any branch ignore latest lost none pause skip strict timeout

" What a value is made of.
syn match axfNumber "\<\d\+\%(\.\d\+\)\=%\=" contained display
syn match axfNumber "\<\%(\d\+\%(ms\|[smhdw]\)\)\+\>" contained display
syn match axfNumber "\<\d\+\%([KMGT]i\=\)\=B\>" contained display
syn match axfNumber "\<\d\{4}-\d\d-\d\d\>" contained display
syn match axfNumber "\<\d\d:\d\d\>" contained display
syn match axfCall "\<\h\w*\ze(" contained contains=axfFunction,axfForm
syn keyword axfConstant contained true false null
syn keyword axfOperator contained and or not in if else
syn match axfOperator "==\|!=\|<=\|>=\|\.\.\|[-+*/<>]" contained display
syn cluster axfExpr contains=axfNumber,axfCall,axfConstant,axfOperator,axfRoot,axfString,axfRaw,axfBlockString,axfBlockRaw,axfComment

" Items: `name =`, `kind label`, `kind {`, edges.
syn match axfKey "\<\h[A-Za-z0-9_-]*\ze\s*==\@!" contains=axfAttribute nextgroup=axfAssign skipwhite
syn match axfAssign "=" contained nextgroup=axfWord,axfList,axfMap skipwhite
syn match axfWord "\<\h\w*\ze\s*\%($\|[ \t}#]\)" contained contains=axfValue,axfConstant,axfRoot,axfOperator
syn match axfHead "\<\h\w*\ze\s\+\h[A-Za-z0-9_-]*\s*\%([{=:(]\|$\)" contains=axfBlock nextgroup=axfLabel skipwhite
syn match axfHead "\<\h\w*\ze\s*{" contains=axfBlock
syn match axfLabel "\<\h[A-Za-z0-9_-]*" contained nextgroup=axfAssign,axfTypeColon skipwhite
syn match axfTypeColon ":" contained nextgroup=axfTypeName skipwhite
syn match axfTypeName "\<\h\w*\%((\s*\h\w*\s*)\)\=" contained contains=axfType
syn match axfArrow "->"
syn match axfOutcomeOf ":\h\w*" contains=axfOutcome
syn region axfList matchgroup=axfBracket start="\[" end="\]" contains=@axfExpr,axfValue,axfList,axfMap,axfOutcomeOf
syn region axfMap matchgroup=axfBracket start="{" end="}" contained contains=@axfExpr,axfKey,axfList,axfMap

" Everything else on a line is an expression or an edge.
syn match axfNumber "\<\d\+\%(\.\d\+\)\=%\="
syn match axfNumber "\<\%(\d\+\%(ms\|[smhdw]\)\)\+\>"
syn match axfNumber "\<\d\+\%([KMGT]i\=\)\=B\>"
syn match axfNumber "\<\d\{4}-\d\d-\d\d\>"
syn match axfNumber "\<\d\d:\d\d\>"
syn match axfCall "\<\h\w*\ze(" contains=axfFunction,axfForm
syn keyword axfConstant true false null
syn keyword axfOperator and or not in if else

" Strings last: what begins first wins, and of two at one place the later rule.
syn match axfEscape "\\[ntr\"\\]\|\\u{\x\+}\|\\{{" contained
syn match axfBlockEscape "\\{{\|\\\"\"\"" contained
syn region axfExprIn matchgroup=axfBraces start="{{" end="}}" contained contains=@axfExpr,axfList oneline
syn region axfString start=+"+ skip=+\\.+ end=+"+ end=+$+ contains=axfEscape,axfExprIn
syn region axfRaw start=+'+ end=+'+ end=+$+
syn region axfBlockString start=+"""+ end=+"""+ contains=axfBlockEscape,axfExprIn
syn region axfBlockRaw start=+'''+ end=+'''+
syn match axfComment "#.*$" contains=@Spell,axfTodo
syn keyword axfTodo contained NOTE

hi def link axfBlock Keyword
hi def link axfAttribute Identifier
hi def link axfLabel Function
hi def link axfType Type
hi def link axfOutcome Constant
hi def link axfRoot Special
hi def link axfFunction Function
hi def link axfForm Function
hi def link axfValue Constant
hi def link axfConstant Boolean
hi def link axfNumber Number
hi def link axfOperator Operator
hi def link axfArrow Operator
hi def link axfEscape SpecialChar
hi def link axfBlockEscape SpecialChar
hi def link axfBraces Delimiter
hi def link axfString String
hi def link axfRaw String
hi def link axfBlockString String
hi def link axfBlockRaw String
hi def link axfComment Comment
hi def link axfTodo Todo

syn sync match axfSync grouphere NONE "^\%(workflow\|let\)\>"
syn sync minlines=200

let b:current_syntax = "axf"
let &cpo = s:cpo_save
unlet s:cpo_save
