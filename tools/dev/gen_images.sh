#!/bin/sh
# gen_images.sh [--check] - draws docs/images/NAME.svg from examples/workflows/NAME.axf, for each picture that
# the pages show. --check compares instead of writing; without a built axc ($AXC, build/axc) there is nothing
# to compare with, and it passes.
set -eu
cd "$(dirname "$0")/../.."

axc=${AXC:-build/axc}
pictures='nightly_report'

if [ "${1-}" = --check ] && [ ! -x "$axc" ]; then exit 0; fi
mkdir -p docs/images
for name in $pictures; do
    picture=docs/images/$name.svg
    if [ "${1-}" = --check ]; then
        "$axc" graph "examples/workflows/$name.axf" | cmp -s - "$picture" ||
            { echo "$picture is not what axc draws; tools/dev/gen_images.sh writes it anew"; exit 1; }
    else
        "$axc" graph "examples/workflows/$name.axf" -o "$picture"
    fi
done
