#!/usr/bin/env bash
# Redraws plots of README.md and docs/methods.md; every other picture is drawn by docs/write_pages.mjs. Called by ./dev docs, with the program on PATH.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
images=$root/docs/images
mkdir -p "$images"

driftless compare "$root/models/double_four_bar.toml" --every 0.5 \
  --methods braun_goldfarb,constraints_only,feedback,no_correction \
  --plot energy_error --log-y -o "$images/energy.svg" \
  --title "Energy error of a double four-bar through 1030 singular poses"

driftless compare "$root/models/planar_four_bar.toml" \
  --methods partial_velocity/adams,partition/adams,cs/adams --tolerance 1e-6 --every 0.02 \
  --plot A.angle -o "$images/planar_four_bar_methods.svg" \
  --title "Planar four-bar of Park, Yoo and Hwang: angle of the crank"
