#!/bin/sh
# Compares the commit that is checked out with BASE, and fails when it is slower.
#
#   benchside-gate.sh BASE
#
# BENCHSIDE   how it is called (default: npx benchside)
# UNDECIDED   whether what can't be told passes or fails (default: pass)
# Further options of "benchside diff" may follow BASE.
#
# Exit status: 0 the same or better, 3 worse, 4 can't tell, 1 failed, 2 wrong usage.
set -eu

if [ "$#" -eq 0 ]; then
  echo "benchside-gate.sh: which commit or branch is it compared with?" >&2
  exit 2
fi
base=$1
shift

# CI clones only the newest commit: the other one is fetched where it is not there.
if ! git rev-parse --verify --quiet --end-of-options "$base^{commit}" >/dev/null; then
  git fetch --quiet --no-tags --depth=1 -- origin "${base#origin/}"
  base=$(git rev-parse --verify FETCH_HEAD)
fi

# The command may be several words.
# shellcheck disable=SC2086
exec ${BENCHSIDE:-npx benchside} diff "$base" HEAD \
  --fail-on worse --undecided "${UNDECIDED:-pass}" \
  --markdown benchside.md --junit benchside.xml "$@"
