#!/bin/sh
# The language server as an editor sees it: sessions over pipes, one file each in tests/e2e/lsp.
set -eu
exec tests/e2e/axc_lsp.py tests/e2e/lsp/*.session
