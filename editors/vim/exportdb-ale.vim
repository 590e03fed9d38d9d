" torch.export findings in Vim, through ALE. Source this from your vimrc, behind ALE itself.

call ale#linter#Define('python', {
\   'name': 'exportdb',
\   'lsp': 'stdio',
\   'executable': {-> get(g:, 'exportdb_executable', 'exportdb-lsp')},
\   'command': '%e --stdio',
\   'project_root': function('ale#python#FindProjectRoot'),
\   'initialization_options': {-> get(g:, 'exportdb_settings', {})},
\})

" Really exports the models of this buffer; the verdicts appear on their lines.
command! ExportdbExport call s:export()

function! s:export() abort
    let l:uri = ale#path#ToFileURI(expand('%:p'))
    let l:asked = {'command': 'exportdb.export', 'arguments': [{'uri': l:uri}]}
    call ale#lsp_linter#SendRequest(bufnr(''), 'exportdb', [0, 'workspace/executeCommand', l:asked], function('s:tell'))
endfunction

function! s:tell(response) abort
    if has_key(a:response, 'error')
        echomsg 'Export: ' . a:response.error.message
        return
    endif
    for l:result in a:response.result.results
        echomsg printf('%s (%s): %s. %s', l:result.target, l:result.mode, l:result.outcome, l:result.message)
    endfor
endfunction
