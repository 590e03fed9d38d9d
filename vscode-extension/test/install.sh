#!/bin/bash
# Installs what the end-to-end tests drive: Debian's Chromium and ripgrep, and VS Code's own server and
# web workbench, which the npm package code-server carries. They stay outside the tree, cached between runs.
# What cannot be had is named on stderr, and the exit code is 1.
#
# usage: test/install.sh [DIRECTORY]     (default: $EXPORTDB_VSCODE, else ~/.cache/exportdb-lsp/vscode)
set -euo pipefail

version=4.100.3   # VS Code 1.100, the newest that Node 20 runs
directory=${1:-${EXPORTDB_VSCODE:-${XDG_CACHE_HOME:-$HOME/.cache}/exportdb-lsp/vscode}}
vscode=$directory/node_modules/code-server/lib/vscode
stamp=$directory/.installed-$version

cannot() {
    echo "test/install.sh: $*" >&2
    exit 1
}

command -v npm >/dev/null || cannot "there is no npm"
major=$(node --version | sed 's/^v\([0-9]*\).*/\1/')
[ "$major" -ge 20 ] || cannot "VS Code $version wants Node 20 or newer, not $(node --version)"

missing=()
command -v chromium >/dev/null || [ -n "${CHROMIUM:-}" ] || missing+=(chromium)
command -v rg >/dev/null || missing+=(ripgrep)
if [ ${#missing[@]} -gt 0 ]; then
    command -v apt-get >/dev/null || cannot "install ${missing[*]} by hand: there is no apt-get"
    sudo=
    if [ "$(id -u)" != 0 ]; then
        sudo -n true 2>/dev/null || cannot "install ${missing[*]} by hand: that wants root"
        sudo="sudo -n"
    fi
    export DEBIAN_FRONTEND=noninteractive
    $sudo apt-get update -qq || cannot "apt-get update failed"
    $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
        cannot "apt-get could not install ${missing[*]}"
fi

if [ ! -e "$stamp" ]; then
    rm -rf "$directory"
    mkdir -p "$directory"
    echo '{"private": true}' > "$directory/package.json"
    # The install scripts would compile native modules that a headless test does not use.
    npm install --prefix "$directory" --ignore-scripts --no-audit --no-fund --silent "code-server@$version" ||
        cannot "npm could not install code-server $version"
    # Not `npm ci`: the shrinkwrap in there is out of step with its package.json.
    (cd "$vscode" && npm install --omit=dev --ignore-scripts --no-audit --no-fund --silent) ||
        cannot "npm could not install what VS Code depends on"
    # The script of @vscode/ripgrep, skipped above, would have fetched this binary; findFiles needs it.
    mkdir -p "$vscode/node_modules/@vscode/ripgrep/bin"
    ln -sf "$(command -v rg)" "$vscode/node_modules/@vscode/ripgrep/bin/rg"
    touch "$stamp"
fi
echo "VS Code: $vscode"
