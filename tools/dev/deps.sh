#!/bin/sh
# deps.sh GROUP... - installs the Debian packages of the groups that are missing, and only these.
#
# Groups: build (to make axc and ax, and to run the examples), test (to check them), analysis (to lint, fuzz
# and measure them).
# Needs root, or sudo without a password; else it prints the command and fails.
set -eu

build='gcc libc6-dev make pkg-config flex bison
       libsqlite3-dev sqlite3 libjansson-dev libgraphviz-dev libyaml-dev libssl-dev libcmocka-dev'
test='python3 jq libxml2-utils graphviz ninja-build procps git'
analysis='clang clang-tidy clang-format libclang-rt-14-dev llvm universal-ctags gcovr'
editors='vim neovim'
command -v npm >/dev/null || editors="$editors npm"

wanted=
for group; do
    case $group in
    build) wanted="$wanted $build" ;;
    test) wanted="$wanted $test" ;;
    analysis) wanted="$wanted $analysis" ;;
    editors) wanted="$wanted $editors" ;;
    *) echo "deps: there is no group '$group' (build, test, analysis, editors)" >&2; exit 2 ;;
    esac
done

if ! command -v dpkg-query >/dev/null; then
    echo "deps: this is no Debian; install by hand what corresponds to:$(echo $wanted | sed 's/^/ /')" >&2
    exit 0
fi

missing=
for package in $wanted; do
    case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true) in
    installed*) ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=env
elif sudo -n true 2>/dev/null; then
    as_root='sudo -n env'
else
    echo "deps: packages are missing, and installing them needs root. Please run:" >&2
    echo "    sudo apt-get install --no-install-recommends$missing" >&2
    exit 1
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "deps: installing$missing"
apt() {
    # shellcheck disable=SC2086
    $as_root DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >>"$log" 2>&1
}
# The package lists of a fresh machine may be empty or old: fetch them only if the first try fails.
if ! apt install -y --no-install-recommends $missing; then
    : >"$log"
    if ! { apt update && apt install -y --no-install-recommends $missing; }; then
        cat "$log" >&2
        echo "deps: apt-get could not install these packages" >&2
        exit 1
    fi
fi
