#!/bin/sh
# Sends a template to everybody in a CSV file, and waits until each message has gone out or failed:
#   sh send-to-list.sh <bot> <channel> <template> <file of phone,param,param…>
set -eu
. "$(dirname "$0")/service.sh"

body=$(jq -Rn --arg bot "$1" --arg channel "$2" --arg template "$3" '
  { bot_id: $bot, channel: $channel, template_id: $template,
    to: [inputs | rtrimstr("\r") | select(startswith("+")) | split(",") | { phone: .[0], params: .[1:] }] }' "$4")
# The same list on the same day is the same call: run twice, it sends once.
key=$(printf '%s %s' "$(date +%F)" "$body" | cksum | tr ' ' '-')
batch=$(leadline messages/send-template "$body" -H "Idempotency-Key: list-$key")

# Long lists are answered before all of it has gone out.
while [ "$(echo "$batch" | jq .queued)" -gt 0 ]; do
  echo "$batch" | jq -r '"\(.total - .queued) of \(.total)"'
  sleep 2
  batch=$(leadline messages/get-batch "$(echo "$batch" | jq '{ batch_id }')")
done
echo "$batch" | jq -r '(.results[] | select(.ok | not) | "\(.phone): \(.message)"),
  "sent \(.sent), failed \(.failed), unknown \(.unknown)"'
