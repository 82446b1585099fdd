#!/bin/sh
# Runs Node 24 with the given arguments: the installed one, or one that bring-node.mjs puts into .cache/. No
# process is between the caller and Node, so signals, exit codes and the terminal are Node's own.
set -eu
case "$(node --version)" in
  v24.*) ;;
  *)
    root=$(cd "$(dirname "$0")/.." && pwd)
    # Adds this Node to PATH, so that npm and other programs use the same one.
    PATH="$root/.cache/node24/bin:$PATH"
    export PATH
    [ -x "$root/.cache/node24/bin/node" ] || node "$root/scripts/bring-node.mjs"
    ;;
esac
exec node "$@"
