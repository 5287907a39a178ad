#!/usr/bin/env bash
# Redraws plots of README.md and docs/methods.md; every other picture is drawn by docs/write_pages.mjs. Called by ./dev docs, with the program on PATH.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
images=$root/docs/images
mkdir -p "$images"

driftless compare "$root/models/double_four_bar.toml" --every 0.1 \
  --methods braun_goldfarb,constraints_only,feedback,no_correction \
  --labels "Driftless,projection alone,Baumgarte,no correction" \
  --plot energy_error --log-x --log-y -o "$images/energy.svg" \
  --title "Energy error of a double four-bar through 1030 singular poses"

driftless compare "$root/models/pendulum.toml" --until 200 --every 0.5 --step 0.02 --set start="60 deg" \
  --methods index1/rk4,index2/hem3,index1/rk4/project,ggl/radau5 \
  --labels "index 1,index 2,index 1 projected,GGL" \
  --plot phi --log-x --log-y -o "$images/pendulum_drift.svg" \
  --title "How far a pendulum's rod comes off: t² at index 1, t at index 2, not at all when held"

driftless compare "$root/models/planar_four_bar.toml" \
  --methods partial_velocity/adams,partition/adams,cs/adams --tolerance 1e-6 --every 0.02 \
  --plot A.angle -o "$images/planar_four_bar_methods.svg" \
  --title "Planar four-bar of Park, Yoo and Hwang: angle of the crank"
