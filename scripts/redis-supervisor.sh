# Keeps one redis-server running for as long as the process at the other end of stdin lives.
#
#   sh redis-supervisor.sh BIN CONF LOCK ADDRESS OWNER RESTART NODE TRIM FOLDER
#
# stdin   a pipe that the owner holds and never writes to: its end means stop, also after kill -9 of the owner
# stdout  one report a line: started PID | busy | exited CODE | stopped
#
# TRIM removes the incomplete writes of a killed server, before the next one reads them.
# Every wait is in this shell, not in a program that could be killed separately: `read`, not `cat`.

# Only the owner may read the files of Redis, even in an existing folder with files of an earlier version.
umask 077
chmod go= "$9" "$9"/redis.log "$9"/lock "$9"/appendonlydir "$9"/appendonlydir/* 2>/dev/null

bin=$1 conf=$2 address=$4 restart=$6
LOCK_FILE=$3 LOCK_OWNER=$5 NODE=$7 TRIM=$8 FOLDER=$9
export LOCK_FILE LOCK_OWNER NODE TRIM FOLDER

# A shell gives /dev/null to its background processes as stdin, so the pipe needs a separate descriptor.
exec 3<&0 </dev/null

stopping=
redis=
trap '' PIPE HUP INT
# Removes the file with the address before this server ends, because the next server writes its own. A
# supervisor that still waits for the folder does not remove the file.
remove_address() {
  read -r owner _ 2>/dev/null <"$LOCK_FILE"
  [ "$owner" != "$LOCK_OWNER" ] || rm -f "$address"
}
trap 'stopping=1; remove_address; [ -z "$redis" ] || kill -TERM "$redis" 2>/dev/null' TERM

# The server inherits the locked descriptor, and this shell never has it. So the lock lasts exactly as long as
# the server, or a child of it that still rewrites the append-only file.
if command -v flock >/dev/null 2>&1; then
  start_locked() {
    exec sh -c 'exec 9>>"$LOCK_FILE"; flock -n 9 || exit 75; echo "$LOCK_OWNER $$" >"$LOCK_FILE"
      "$NODE" "$TRIM" "$FOLDER" || exit 74; exec "$0" "$1"' \
      "$bin" "$conf"
  }
elif command -v perl >/dev/null 2>&1; then
  # macOS has no `flock`, so perl locks the file there.
  start_locked() {
    exec perl -e '
      use Fcntl qw(:flock F_SETFD);
      open(my $lock, ">>", $ENV{LOCK_FILE}) or exit 74;
      flock($lock, LOCK_EX | LOCK_NB) or exit 75;
      fcntl($lock, F_SETFD, 0);
      truncate($lock, 0);
      syswrite($lock, "$ENV{LOCK_OWNER} $$\n");
      system($ENV{NODE}, $ENV{TRIM}, $ENV{FOLDER}) == 0 or exit 74;
      exec { $ARGV[0] } @ARGV or exit 127;' "$bin" "$conf"
  }
else
  echo 'exited 76'
  exit 76
fi

busy_said=
failures=0
while [ -z "$stopping" ]; do
  start_locked </dev/null >/dev/null 2>&1 3<&- &
  redis=$!
  echo "started $redis" 2>/dev/null
  [ -z "$stopping" ] || kill -TERM "$redis" 2>/dev/null

  # Each server has a watcher, so that the server ends with the owner even if this shell was killed.
  (
    read -r _ <&3
    remove_address
    kill -TERM $$ 2>/dev/null
    kill -TERM "$redis" 2>/dev/null
    tries=0
    while kill -0 "$redis" 2>/dev/null && [ "$tries" -lt 100 ]; do
      sleep 0.1
      tries=$((tries + 1))
    done
    kill -KILL "$redis" 2>/dev/null
  ) >/dev/null 2>&1 &
  watcher=$!

  wait "$redis"
  code=$?
  while kill -0 "$redis" 2>/dev/null; do
    wait "$redis" # A signal ended the wait above, not the server.
    code=$?
  done
  redis=
  kill -KILL "$watcher" 2>/dev/null
  wait "$watcher" 2>/dev/null

  if [ "$code" -eq 75 ]; then
    [ -n "$busy_said" ] || echo 'busy' 2>/dev/null
    busy_said=1
  else
    failures=$((failures + 1))
    echo "exited $code" 2>/dev/null
    [ "$restart" = yes ] || stopping=1
  fi
  if [ -z "$stopping" ]; then
    if [ "$failures" -lt 50 ]; then sleep 0.1; else sleep 0.8; fi
  fi
done
rm -f "$conf"
echo 'stopped' 2>/dev/null
