# What the examples share: `. service.sh`. They need curl and jq.
: "${LEADLINE_URL:?such as http://127.0.0.1:3000}" "${LEADLINE_API_KEY:?the key of an account}"

# leadline <operation> <body> [further words for curl]: prints `data` of the answer, or fails and says why there is none.
# curl repeats what is answered with 429 or 5xx, after as long as Retry-After says. So whatever must not be done twice
# carries an Idempotency-Key.
leadline() {
  operation=$1 body=$2
  shift 2
  curl --silent --show-error --retry 3 "$LEADLINE_URL/api/v1/$operation" \
    -H "X-API-Key: $LEADLINE_API_KEY" -H 'Content-Type: application/json' "$@" -d "$body" |
    jq 'if .ok then .data else "\(.error.code): \(.error.message)\n" | halt_error end'
}
