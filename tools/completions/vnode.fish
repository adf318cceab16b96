# fish completion for vnode and vnode-bench: what bash's offers, which lies beside the programs
function __vnode_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l folder (path dirname (path dirname (path resolve (command -v $words[1]))))/share/bash-completion/completions
    bash -c 'source "$1" && COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2)) && _vnode && printf "%s\n" "${COMPREPLY[@]}"' \
        bash $folder/vnode $words 2>/dev/null
end
complete --command vnode --command vnode-bench --no-files --arguments '(__vnode_complete)'
