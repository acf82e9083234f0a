#!/bin/sh
# The pages show what is true: see docs_blocks.py.
exec python3 tests/e2e/docs_blocks.py
