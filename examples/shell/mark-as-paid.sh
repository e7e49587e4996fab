#!/bin/sh
# Marks a customer as paid, as an accounting system does when an invoice is settled:
#   sh mark-as-paid.sh <phone> <invoice number>
set -eu
. "$(dirname "$0")/service.sh"

threads=$(leadline messages/get-threads "$(jq -n --arg phone "$1" '{ phones: [$phone] }')")
if [ "$(echo "$threads" | jq '.threads | length')" = 0 ]; then
  echo "$1 has no dialog" >&2
  exit 1
fi
echo "$threads" | jq -r '.threads[] | "\(.thread_id) \(.assistant_id)"' | while read -r thread agent; do
  funnel=$(leadline leads/get-statuses "{ \"assistant_id\": \"$agent\" }")
  paid=$(echo "$funnel" | jq -r 'first(.statuses[] | select(.kind == "success")).id')
  # By this id the log, the history and every board know what the move was for.
  moved=$(leadline leads/set-status "{ \"thread_id\": \"$thread\", \"status_id\": \"$paid\" }" -H "X-Request-Id: invoice-$2")
  echo "$moved" | jq -r '"\(.thread_id): \(if .changed then "moved to" else "already at" end) \(.status.name)"'
done
