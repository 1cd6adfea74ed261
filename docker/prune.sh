#!/bin/sh
# Removes what programs do not read: source maps, types, documentation, tests, and builds for browsers. Runs in the folder of package.json.
set -eu
find node_modules dist -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.md' -o -name '*.markdown' \) -delete
rm -f dist/.built-*
find node_modules -type d \( -name test -o -name tests -o -name example -o -name examples -o -name bench -o -name benchmark -o -name .github \) -prune -exec rm -rf {} +
rm -f node_modules/@cantoo/pdf-lib/dist/*.js node_modules/@cantoo/pdf-lib/dist/*/*.umd.js
rm -rf node_modules/@cantoo/pdf-lib/src node_modules/@cantoo/pdf-lib/ts3.4
chmod +x dist/cli.js
