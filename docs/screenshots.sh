#!/usr/bin/env bash
# Makes the pictures of docs/report.md from the week that ships with the project: needs node and Chromium.
#   docs/screenshots.sh [RATEWAF]
set -euo pipefail
cd "$(dirname "$0")/.."
ratewaf=${1:-target/release/ratewaf}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$ratewaf" report tests/fixtures/scenarios/article-week --route 'GET /api/v1/token' --quiet --out "$folder/report.html"
shots=()
for view in light dark phone print; do
  shots+=(--shot "$view=docs/report-$view.webp")
done
node tests/integration/report/browser.mjs "${CHROMIUM:-$(command -v chromium)}" "$folder/report.html" "${shots[@]}" >"$folder/found.json"
grep -q '"messages": \[\]' "$folder/found.json" || { cat "$folder/found.json"; exit 1; }
