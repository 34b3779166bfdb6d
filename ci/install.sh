#!/bin/sh
# Installs Benchside for a job of GitHub's, in a folder that is kept from one job to the next.
#
# HOME_OF_IT   the folder
# PACKAGE      what is installed, as npm names it (default: the version that this script is of)
#
# Leaves in the environment of the steps that follow: BENCHSIDE, how it is called, and BENCHSIDE_STORAGE, where PostgreSQL and builds are kept.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
package=${PACKAGE:-}
if [ -z "$package" ]; then
  package=$(node -p 'const { name, version } = require(process.argv[1]); `${name}@${version}`' "$here/package.json")
fi
mkdir -p "$HOME_OF_IT/cli" "$HOME_OF_IT/storage"
npm install --no-save --no-audit --no-fund --ignore-scripts --cache "$HOME_OF_IT/npm" --prefix "$HOME_OF_IT/cli" "$package"
{
  echo "BENCHSIDE=node $HOME_OF_IT/cli/node_modules/benchside/bin/benchside.cjs"
  echo "BENCHSIDE_STORAGE=$HOME_OF_IT/storage"
} >>"$GITHUB_ENV"
