#!/bin/sh
# Removes what programs do not read: source maps, types, documentation, tests, and builds for browsers. Runs in the folder of package.json.
set -eu
find node_modules dist -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.md' -o -name '*.markdown' \) -delete
rm -f dist/.built-*
find node_modules -type d \( -name test -o -name tests -o -name example -o -name examples -o -name bench -o -name benchmark -o -name .github \) -prune -exec rm -rf {} +
rm -f node_modules/@cantoo/pdf-lib/dist/*.js node_modules/@cantoo/pdf-lib/dist/*/*.umd.js
rm -rf node_modules/@cantoo/pdf-lib/src node_modules/@cantoo/pdf-lib/ts3.4
# Its sources, and the binary for another C library.
rm -rf node_modules/koffi/lib node_modules/koffi/vendor node_modules/koffi/doc node_modules/koffi/src/koffi/src/abi node_modules/@koromix/*/musl_*
find node_modules -path 'node_modules/koffi/*' -type f \( -name '*.cc' -o -name '*.hh' -o -name '*.inc' -o -name '*.def' \) -delete
chmod +x dist/cli.js
