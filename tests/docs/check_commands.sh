#!/usr/bin/env bash
# Do what README.md tells a reader to do.
#
# Every fenced block marked sh or console is run (of console blocks, the lines that begin with "$ "), in
# the order of the page, in a scratch copy of the repository's files and with the built program on the
# PATH; each must end with exit code 0. Every block marked toml must pass `driftless check`.
#
# Left out: git clone, cd, and the commands of ./dev that run for long (test, verify, bench). Installations
# go to a scratch prefix.
#
# usage: check_readme.sh [README]
set -euo pipefail

ROOT=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
README=$(realpath -m -- "${1:-$ROOT/README.md}")
BIN=$ROOT/build/bin
SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT
TREE=$SCRATCH/tree
BLOCKS=$SCRATCH/blocks
failures=0

# Write block number N of the page to $BLOCKS/N.sh or $BLOCKS/N.toml, with its first line's number in
# $BLOCKS/N.line.
extract_blocks() {
  mkdir -p "$BLOCKS"
  awk -v dir="$BLOCKS" '
    /^ *```/ && inside { inside = 0; close(file); next }
    /^ *```/ {
      kind = $0; sub(/^ *```+ */, "", kind); sub(/[ {].*$/, "", kind)
      inside = 1; file = "/dev/null"
      if (kind == "sh" || kind == "console" || kind == "toml") {
        stem = sprintf("%s/%03d", dir, ++count)
        file = stem (kind == "toml" ? ".toml" : ".sh")
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
  ' "$README"
}

# The files of the repository, without what is built; `dev` works on the original's build.
copy_tree() {
  mkdir -p "$TREE"
  (cd "$ROOT" && tar -cf - --exclude=./build --exclude=./.git .) | tar -xf - -C "$TREE"
  cat >"$TREE/dev" <<END
#!/usr/bin/env bash
case \${1-} in
  test | verify | bench) echo "left out here: ./dev \$*" ;;
  *) DRIFTLESS_PREFIX='$SCRATCH/prefix' exec '$ROOT/dev' "\$@" ;;
esac
END
  chmod +x "$TREE/dev"
  mkdir "$TREE/build"
  ln -s "$BIN" "$TREE/build/bin"  # where ./dev build leaves the program
}

report() {
  local what=$1 line=$2 log=$3
  echo "README.md, line $line: $what FAILED"
  sed 's/^/    /' "$log"
  failures=$((failures + 1))
}

run_block() {
  local block=$1 line log=$SCRATCH/log
  line=$(cat "${block%.sh}.line")
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
    report "a command" "$line" "$log"
  fi
}

check_model() {
  local block=$1 line log=$SCRATCH/log
  line=$(cat "${block%.toml}.line")
  cp "$block" "$TREE/readme_line_$line.toml"
  if (cd "$TREE" && "$BIN/driftless" check "readme_line_$line.toml") </dev/null >"$log" 2>&1; then
    echo "ok    driftless check (the model in line $line)"
  else
    report "the model" "$line" "$log"
  fi
}

[[ -f $README ]] || { echo "README.md is missing"; exit 1; }
[[ -x $BIN/driftless ]] || { echo "build/bin/driftless is missing: ./dev build"; exit 1; }
extract_blocks
copy_tree
for block in "$BLOCKS"/*.sh "$BLOCKS"/*.toml; do
  case $block in
    *'*'*) ;;
    *.sh) run_block "$block" ;;
    *.toml) check_model "$block" ;;
  esac
done
((failures == 0)) || { echo "$failures blocks of README.md failed"; exit 1; }
