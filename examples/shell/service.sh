# What the examples share: `. service.sh`. They need curl and jq.
: "${LEADLINE_URL:?such as http://127.0.0.1:3000}" "${LEADLINE_API_KEY:?the key of an account}"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# leadline <operation> <body> [further words for curl]: prints `data` of the answer, or fails and says why there is none.
# curl repeats what is answered with 429 or 5xx, after as long as Retry-After says. So whatever must not be done twice
# carries an Idempotency-Key. The key is given by stdin, as arguments are seen by everybody on the machine; the answer
# goes to a file, of which curl empties what came of an earlier try.
leadline() {
  operation=$1 answer=$folder/answer
  printf '%s' "$2" >"$folder/body"
  : >"$answer"
  shift 2
  printf 'header = "X-API-Key: %s"\n' "$LEADLINE_API_KEY" |
    curl --config - --silent --show-error --retry 3 --output "$answer" "$LEADLINE_URL/api/v1/$operation" \
      -H 'Content-Type: application/json' "$@" --data-binary @"$folder/body" || return 1
  if ! [ -s "$answer" ]; then
    echo 'The answer is empty' >&2
    return 1
  fi
  jq 'if .ok then .data else "\(.error.code): \(.error.message)\n" | halt_error(1) end' "$answer"
}
