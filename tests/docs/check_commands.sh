#!/usr/bin/env bash
# Do what the documents tell a reader to do.
#
# Every fenced block marked sh or console is run (of console blocks, the lines that begin with "$ "), in
# the order of the page, in a scratch copy of the repository's files and with the built program on the
# PATH; each must end with exit code 0. A block marked toml that is a whole model (it has a line "format =")
# must pass `driftless check`, and stands as NAME.toml beside the commands that follow. Blocks marked
# python are run by Debian's python3 if it has what they import, blocks marked octave if there is one. Each
# page starts from a fresh copy.
#
# Left out: git clone, cd, and the commands of ./dev that run for long (test, verify, bench, docs).
# Installations go to a scratch prefix.
#
# usage: check_commands.sh [PAGE...]    default: README.md and every page under docs/
set -euo pipefail

ROOT=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
BIN=$ROOT/build/bin
SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT
TREE=$SCRATCH/tree
BLOCKS=$SCRATCH/blocks
failures=0

# Write block number N of a page to $BLOCKS/N.sh, N.toml, N.python or N.octave, with its first line's number in
# $BLOCKS/N.line.
extract_blocks() {
  rm -rf "$BLOCKS"
  mkdir -p "$BLOCKS"
  awk -v dir="$BLOCKS" '
    /^ *```/ && inside { inside = 0; close(file); next }
    /^ *```/ {
      kind = $0; sub(/^ *```+ */, "", kind); sub(/[ {].*$/, "", kind)
      inside = 1; file = "/dev/null"
      if (kind == "sh" || kind == "console" || kind == "toml" || kind == "python" || kind == "octave") {
        stem = sprintf("%s/%03d", dir, ++count)
        file = stem "." (kind == "console" ? "sh" : kind)
        printf "" > file
        print NR + 1 > (stem ".line"); close(stem ".line")
      }
      next
    }
    inside && kind == "console" {
      # "$ " begins a command; it goes on after a backslash, and the rest is output.
      if (sub(/^ *\$ /, "") || more) print > file
      more = /\\$/
      next
    }
    inside { print > file }
  ' "$1"
}

# The files of the repository, without what is built; `dev` works on the original's build.
copy_tree() {
  rm -rf "$TREE"
  mkdir -p "$TREE"
  (cd "$ROOT" && tar -cf - --exclude=./build --exclude=./.git .) | tar -xf - -C "$TREE"
  cat >"$TREE/dev" <<END
#!/usr/bin/env bash
case \${1-} in
  test | verify | bench | docs) echo "left out here: ./dev \$*" ;;
  *) DRIFTLESS_PREFIX='$SCRATCH/prefix' exec '$ROOT/dev' "\$@" ;;
esac
END
  chmod +x "$TREE/dev"
  mkdir "$TREE/build"
  ln -s "$BIN" "$TREE/build/bin"  # where ./dev build leaves the program
}

report() {
  local what=$1 block=$2 log=$3
  echo "$page, line $(cat "${block%.*}.line"): $what FAILED"
  sed 's/^/    /' "$log"
  failures=$((failures + 1))
}

run_block() {
  local block=$1 log=$SCRATCH/log
  {
    echo 'set -eu'
    echo 'cd() { :; }'
    echo 'git() { [[ ${1-} == clone ]] || command git "$@"; }'
    echo "PS4='+ '; set -x"
    cat "$block"
  } >"$SCRATCH/script"
  if (cd "$TREE" && PATH=$BIN:$PATH bash "$SCRATCH/script") </dev/null >"$log" 2>&1; then
    sed 's/^/ok    /' "$block"
  else
    report "a command" "$block" "$log"
  fi
}

check_model() {
  local block=$1 name log=$SCRATCH/log
  grep -q '^format = ' "$block" || return 0  # a part of a model
  name=$(sed -n 's/^name = "\([A-Za-z_0-9]*\)"$/\1/p' "$block" | head -1)
  name=${name:-model_line_$(cat "${block%.toml}.line")}
  cp "$block" "$TREE/$name.toml"
  if (cd "$TREE" && "$BIN/driftless" check "$name.toml") </dev/null >"$log" 2>&1; then
    echo "ok    driftless check $name.toml"
  elif [[ $(wc -l <"$block") -le 3 ]]; then
    return 0  # a head alone
  else
    report "the model $name" "$block" "$log"
  fi
}

run_python() {
  local block=$1 log=$SCRATCH/log modules
  modules=$(sed -n 's/^import \([a-z0-9_]*\).*/\1/p' "$block" | paste -sd, -)
  if ! /usr/bin/python3 -c "import ${modules:-sys}" 2>/dev/null; then
    echo "left out: python3 has no $modules"
  elif (cd "$TREE" && /usr/bin/python3 "$block") </dev/null >"$log" 2>&1; then
    echo "ok    python3 ($modules)"
  else
    report "a Python program" "$block" "$log"
  fi
}

# It ends with an error of its own, so the last line tells that all went well.
run_octave() {
  local block=$1 log=$SCRATCH/log
  if ! command -v octave-cli >/dev/null; then
    echo "left out: there is no octave-cli"
    return 0
  fi
  { cat "$block"; echo 'assert(numel(t) > 1 && numel(t) == numel(angle) && all(isfinite(angle))), disp("all is well")'; } >"$SCRATCH/block.m"
  (cd "$TREE" && octave-cli --quiet "$SCRATCH/block.m") </dev/null >"$log" 2>&1 || true
  if grep -qx 'all is well' "$log"; then
    echo "ok    octave-cli"
  else
    report "an Octave program" "$block" "$log"
  fi
}

check_page() {
  page=$1
  local block
  extract_blocks "$ROOT/$page"
  compgen -G "$BLOCKS/*.line" >/dev/null || return 0
  echo "-- $page"
  copy_tree
  for block in "$BLOCKS"/*; do
    case $block in
      *.sh) run_block "$block" ;;
      *.toml) check_model "$block" ;;
      *.python) run_python "$block" ;;
      *.octave) run_octave "$block" ;;
    esac
  done
}

[[ -x $BIN/driftless ]] || { echo "build/bin/driftless is missing: ./dev build"; exit 1; }
pages=("$@")
if ((${#pages[@]} == 0)); then
  mapfile -t pages < <(cd "$ROOT" && ls README.md && find docs -name '*.md' | sort)
fi
for each in "${pages[@]}"; do check_page "$each"; done
((failures == 0)) || { echo "$failures blocks of the documents failed"; exit 1; }
