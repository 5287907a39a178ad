#!/usr/bin/env bash
# Redraws the plot of README.md; every other picture is drawn by docs/write_pages.mjs. Called by ./dev docs, with the program on PATH.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
images=$root/docs/images
mkdir -p "$images"

driftless compare "$root/models/double_four_bar.toml" --every 0.5 \
  --methods braun_goldfarb,constraints_only,feedback,no_correction \
  --plot energy_error --log-y -o "$images/energy.svg" \
  --title "Energy error of a double four-bar through 1030 singular poses"

# Pictures of report pages, if there is a browser.
packages=$root/build/viewer
browser=$(command -v "${CHROMIUM:-chromium}" || true)
if [[ -z $browser || ! -d $packages/node_modules/playwright-core ]]; then
  echo "draw.sh: pictures of report pages are left as they are: there is no chromium or no $packages" >&2
  exit 0
fi
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
(
  cd "$pages"
  driftless run "$root/models/slider_crank_bodies.toml" --until 10 --every 0.02 --quiet --out slider_crank.html
  for run in bg=braun_goldfarb/rk4 baumgarte=baumgarte/heun index1=index1/heun; do
    # Those without a correction end early: that is what the picture shows.
    driftless run "$root/models/double_four_bar_bodies.toml" --until 8 --every 0.02 --step 0.04 \
      --method "${run#*=}" --quiet --out "${run%%=*}.h5" || true
  done
  driftless report bg.h5 baumgarte.h5 index1.h5 -o double_four_bar.html
  driftless run "$root/models/machines/stewart_platform.toml" --quiet --out stewart_platform.html
  driftless new n-four-bar --n 40 -o windows.toml
  driftless run windows.toml --until 1 --every 0.02 --step 0.02 --quiet --out windows.html
) >/dev/null
CHROMIUM=$browser node "$root/docs/shoot.mjs" "$packages" "$pages" "$images"
