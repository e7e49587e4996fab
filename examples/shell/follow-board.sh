#!/bin/sh
# Shows an agent's board, and then each move of a lead, until Ctrl-C:
#   sh follow-board.sh <agent>
# It speaks Socket.IO by long polling, for machines that have nothing but curl. It does not come back after an outage:
# where that counts, use the client of the package, which does.
set -eu
. "$(dirname "$0")/service.sh"

board="$LEADLINE_URL/socket.io/?EIO=4&transport=polling"
curl --silent --fail --show-error --output "$folder/opened" "$board"
sid=$(sed 's/^0//' "$folder/opened" | jq -r .sid)
say() {
  printf '%s' "$1" |
    curl --silent --fail --output /dev/null "$board&sid=$sid" -H 'Content-Type: text/plain' --data-binary @-
}

say "40/board,$(jq -nc '{ api_key: env.LEADLINE_API_KEY }')"
# A packet is a digit or two, the namespace, and JSON; several come behind one another.
while packets=$(curl --silent --fail "$board&sid=$sid"); do
  printf '%s\n' "$packets" | tr '\036' '\n' | while IFS= read -r packet; do
    case $packet in
      2) say 3 ;; # The service asks whether anybody is there.
      40/board,*) say "42/board,0$(jq -nc --arg agent "$1" '["board:open", { assistant_id: $agent, limit: 1 }]')" ;;
      43/board,0*) echo "${packet#43/board,0}" | jq -r '.[0] | if .ok then .data.columns[] as $column |
          first((.data.statuses[] | select(.id == $column.status_id).name), "no stage") + ": \($column.total)"
          else "\(.error.code): \(.error.message)\n" | halt_error(1) end' ;;
      42/board,\[\"card.moved\"*) echo "${packet#42/board,}" | jq -r '.[1] |
          "\(.card.phone) is at \(.status.name // "no stage"), by \(.actor.name // "the service")"' ;;
      44/board,*) echo "${packet#44/board,}" | jq -r '"\(.message): \(.data.message)\n" | halt_error(1)' ;;
    esac
  done
done
echo 'The connection is lost' >&2
exit 1
