#!/bin/sh
# Compares the commit that is checked out with BASE, and fails when it is slower.
#
#   benchside-gate.sh BASE
#
# BENCHSIDE   how it is called (default: npx benchside)
# UNDECIDED   whether what can't be told passes or fails (default: pass)
# BUDGET      the time for all of it, such as 3min (default: that of "benchside diff")
# Further options of "benchside diff" may follow BASE.
#
# Leaves benchside.md (for a comment), benchside.xml (JUnit), benchside-diff.json and benchside.html (the page) in the folder that it is called in.
# Exit status: 0 the same or better, 3 worse, 4 can't tell, 1 failed, 2 wrong usage.
set -eu

if [ "$#" -eq 0 ]; then
  echo "benchside-gate.sh: which commit or branch is it compared with?" >&2
  exit 2
fi
base=$1
shift
if [ -n "${BUDGET:-}" ]; then
  set -- --budget "$BUDGET" "$@"
fi

# CI clones only the newest commit: the other one is fetched where it is not there.
if ! git rev-parse --verify --quiet --end-of-options "$base^{commit}" >/dev/null; then
  git fetch --quiet --no-tags --depth=1 -- origin "${base#origin/}"
  base=$(git rev-parse --verify FETCH_HEAD)
fi

status=0
# The command may be several words.
# shellcheck disable=SC2086
${BENCHSIDE:-npx benchside} diff "$base" HEAD \
  --fail-on worse --undecided "${UNDECIDED:-pass}" \
  --markdown benchside.md --junit benchside.xml --json "$@" >benchside-diff.json || status=$?
if [ -f benchside.md ]; then
  cat benchside.md
fi
# Where both are the same code there is no run, and no page of it.
if grep -q '"run": *"' benchside-diff.json; then
  # shellcheck disable=SC2086
  ${BENCHSIDE:-npx benchside} report last -o benchside.html || true
fi
exit "$status"
