#!/usr/bin/env bash
# A newcomer's first minutes, for real: clone, the README's first command, one question, stop, start again.
#   --cold   empty caches (pip's, the jars'): everything is downloaded again
#   --bare   a PATH without Java, Maven, Node.js and Docker, and no JAVA_HOME
# Fails if the first start is not ready in NEWCOMER_FIRST_S seconds or the second in NEWCOMER_SECOND_S, if the question finds nothing,
# if a stop is not clean, or if a process is left behind. Linux only (it reads /proc).
set -euo pipefail

readonly first_limit=${NEWCOMER_FIRST_S:-180} second_limit=${NEWCOMER_SECOND_S:-20} stop_limit=60
cold=false bare=false
for argument in "$@"; do
  case $argument in
    --cold) cold=true ;;
    --bare) bare=true ;;
    *) echo "usage: newcomer.sh [--cold] [--bare]" >&2; exit 2 ;;
  esac
done

root=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
work=$(mktemp -d "${TMPDIR:-/tmp}/consilience-newcomer.XXXXXX")
log=$work/run.log
: >"$log"

left_behind() { # pids of processes that name this run's folder on their command line or work in it
  local process
  for process in /proc/[0-9]*; do
    if grep -q -a -F -- "$work/" "$process/cmdline" 2>/dev/null || [[ $(readlink "$process/cwd" 2>/dev/null) == "$work/"* ]]; then
      echo "${process#/proc/}"
    fi
  done
}
finish() {
  local status=$?
  for pid in $(left_behind); do kill -KILL "$pid" 2>/dev/null || true; done
  if ((status)); then
    echo "newcomer: FAILED; the last lines it saw:" >&2
    tail -n 40 "$log" >&2
  fi
  rm -rf "$work"
}
trap finish EXIT
fail() { echo "newcomer: $*" >&2; exit 1; }

# The interpreter itself, not a shim on the path: --cold and --bare change what shims depend on.
PYTHON=$("${PYTHON:-python3}" -c 'import sys; print(sys.executable)')
export PYTHON
export XDG_DATA_HOME=$work/data
unset "${!CONSILIENCE_@}" "${!NEO4J_@}"
if $cold; then
  mkdir "$work/home"
  export HOME=$work/home XDG_CACHE_HOME=$work/cache PIP_CACHE_DIR=$work/cache/pip
fi
if $bare; then
  mkdir "$work/bin"
  IFS=: read -r -a folders <<<"$PATH"
  for folder in "${folders[@]}"; do
    [[ -d $folder ]] && find -L "$folder" -maxdepth 1 -type f -exec ln -s -t "$work/bin" {} + 2>/dev/null || true
  done
  rm -f "$work"/bin/{java,javac,jar,jlink,mvn,mvnDebug,node,nodejs,npm,npx,docker,uv}
  PATH=$work/bin
  unset JAVA_HOME
  ! command -v java mvn node docker || fail '--bare left one of these on the path'
fi
CONSILIENCE_PORT=$("$PYTHON" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
export CONSILIENCE_PORT
readonly address=http://127.0.0.1:$CONSILIENCE_PORT

ready() {
  "$PYTHON" -c 'import sys, urllib.request as r; r.urlopen(sys.argv[1] + "/readyz", timeout=5)' "$address" 2>/dev/null
}
children() { # pids whose parent is $1
  { grep -l -x -E "PPid:[[:space:]]+$1" /proc/[0-9]*/status 2>/dev/null || true; } | { grep -o '[0-9]\+' || true; }
}
start() { # start LIMIT: run the README's first command, wait until ready; sets took
  local limit=$1 begun=$SECONDS
  (cd "$work/clone" && exec bash -c "exec $first_command") >>"$log" 2>&1 </dev/null &
  command_pid=$!
  until ready; do
    kill -0 "$command_pid" 2>/dev/null || fail "'$first_command' ended before it was ready"
    ((SECONDS - begun < limit)) || fail "'$first_command' was not ready in $limit s"
    sleep 0.2
  done
  took=$((SECONDS - begun))
}
stop() { # SIGTERM to the service, the way a supervisor does it; its exit status comes back through make
  local begun=$SECONDS status=0 service
  service=$(children "$command_pid")
  kill -TERM ${service:-"$command_pid"}
  while kill -0 "$command_pid" 2>/dev/null; do
    ((SECONDS - begun < stop_limit)) || fail "not stopped $stop_limit s after SIGTERM"
    sleep 0.2
  done
  wait "$command_pid" || status=$?
  ((status == 0)) || fail "exit status $status after SIGTERM"
  [[ -z $(left_behind) ]] || fail "processes left behind: $(left_behind | tr '\n' ' ')"
  took=$((SECONDS - begun))
}
ask() { # one recall over HTTP, once the sample is there; prints who said what; fails without a hit
  "$PYTHON" - "$address" "$space" "$question" <<'PYTHON'
import json, sys, time, urllib.request

address, space, question = sys.argv[1:]
query = """query ($input: RecallInput!) { recall(input: $input) {
  hits { score memory { text ... on Episode { occurredAt contributor { externalId } } } } } }"""
body = json.dumps({"query": query, "variables": {"input": {"space": space, "query": question, "first": 3}}}).encode()
request = urllib.request.Request(address + "/graphql", data=body, headers={"Content-Type": "application/json"})
hits, deadline = [], time.monotonic() + 60  # the service is ready a little before its sample is
while not hits and time.monotonic() < deadline:
    answer = json.load(urllib.request.urlopen(request, timeout=30))
    if answer.get("errors"):
        sys.exit(f"recall answered with errors: {answer['errors']}")
    hits = answer["data"]["recall"]["hits"]
    time.sleep(0 if hits else 0.5)
for hit in hits:
    memory = hit["memory"]
    who = f"{memory['occurredAt']}  {memory['contributor']['externalId']}" if "contributor" in memory else "a fact"
    print(f"  {hit['score']:.2f}  {who}: {memory['text']}")
sys.exit(0 if hits else "recall found nothing in the sample conversation")
PYTHON
}

echo "newcomer: cloning $root"
git clone --quiet "$root" "$work/clone"
first_command=$(awk '/^```bash first$/ { inside = 1; next } /^```/ { inside = 0 } inside' "$work/clone/README.md")
# What to ask stands beside the sample conversation.
IFS=$'\t' read -r space question < <("$PYTHON" - "$work/clone/consilience/app/sample/questions.json" <<'PYTHON'
import json, sys

sample = json.load(open(sys.argv[1], encoding="utf-8"))
print(sample["space"], sample["questions"][0]["query"], sep="\t")
PYTHON
)
[[ -n $first_command && $first_command != *$'\n'* ]] || fail 'README.md needs one block that starts with "```bash first" and holds one command'

start "$first_limit"
echo "newcomer: first start, ready after $took s (limit $first_limit s; cold: $cold, bare: $bare)"
echo "newcomer: $question"
ask
stop
echo "newcomer: clean stop after $took s, no process left"
start "$second_limit"
echo "newcomer: second start, ready after $took s (limit $second_limit s)"
ask
stop
echo "newcomer: clean stop after $took s, no process left"
