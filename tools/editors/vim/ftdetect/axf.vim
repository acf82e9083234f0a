autocmd BufNewFile,BufRead *.axf setfiletype axf
