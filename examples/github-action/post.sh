#!/usr/bin/env bash
# Posts a standup by the packed command, which is in the folder `command` beside this file. It needs Node 24.
# No text of an input is part of a command line that a shell reads.
set -euo pipefail

fail() {
  echo "$1" >&2
  exit 2
}

case "$STANDUP_URL" in
  https://* | http://localhost | http://localhost[:/]* | http://127.0.0.1 | http://127.0.0.1[:/]*) ;;
  *) fail 'The input `url` must begin with https://, since the token is sent there.' ;;
esac
case "$STANDUP_FROM:${STANDUP_TEXT:+text}" in
  :text | git:) ;;
  *) fail 'Give either `text`, or `from: git`.' ;;
esac

# A profile of the runner's user is not used, and nothing is kept for a later run.
state=$(mktemp -d)
export XDG_CONFIG_HOME="$state" XDG_STATE_HOME="$state"
# The runner obeys commands that a log contains, and people write the texts. It waits for this word.
word=$(node -p 'crypto.randomUUID()')
echo "::stop-commands::$word"
trap 'rm -rf "$state"; echo "::$word::"' EXIT

standup() {
  node "$GITHUB_ACTION_PATH/command/standup.js" post --team="$STANDUP_TEAM" "$@"
}

if [ "$STANDUP_FROM" = git ]; then
  [ -z "$STANDUP_EMAIL" ] || git config user.email "$STANDUP_EMAIL"
  # Without --yes the command prints the draft, and says on stderr that nothing was posted.
  STANDUP_TEXT=$(standup --from git 2> "$state/notes") || {
    code=$?
    cat "$state/notes" >&2
    exit "$code"
  }
  if [ -z "$STANDUP_TEXT" ]; then
    echo 'There are no commits since the last standup. Nothing was posted.'
    exit 0
  fi
fi
printf '%s' "$STANDUP_TEXT" | standup
