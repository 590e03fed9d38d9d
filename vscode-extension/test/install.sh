#!/bin/bash
# Installs what the end-to-end tests drive: Debian's Chromium and ripgrep, and VS Code's own server and
# web workbench, which the npm package code-server carries. They stay outside the tree, cached between runs.
#
# usage: test/install.sh [DIRECTORY]     (default: $EXPORTDB_VSCODE, else ~/.cache/exportdb-lsp/vscode)
set -euo pipefail

version=4.100.3   # VS Code 1.100, the newest that Node 20 runs
directory=${1:-${EXPORTDB_VSCODE:-${XDG_CACHE_HOME:-$HOME/.cache}/exportdb-lsp/vscode}}
vscode=$directory/node_modules/code-server/lib/vscode

missing=()
command -v chromium >/dev/null || missing+=(chromium)
command -v rg >/dev/null || missing+=(ripgrep)
if [ ${#missing[@]} -gt 0 ]; then
    sudo=$([ "$(id -u)" = 0 ] || echo sudo)
    $sudo apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

if [ ! -e "$directory/.installed-$version" ]; then
    rm -rf "$directory"
    mkdir -p "$directory"
    echo '{"private": true}' > "$directory/package.json"
    # The install scripts would compile native modules that a headless test does not use.
    npm install --prefix "$directory" --ignore-scripts --no-audit --no-fund --silent "code-server@$version"
    # Not `npm ci`: the shrinkwrap in there is out of step with its package.json.
    (cd "$vscode" && npm install --omit=dev --ignore-scripts --no-audit --no-fund --silent)
    # The script of @vscode/ripgrep, skipped above, would have fetched this binary; findFiles needs it.
    mkdir -p "$vscode/node_modules/@vscode/ripgrep/bin"
    ln -sf "$(command -v rg)" "$vscode/node_modules/@vscode/ripgrep/bin/rg"
    touch "$directory/.installed-$version"
fi
echo "VS Code: $vscode"
