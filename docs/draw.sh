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
