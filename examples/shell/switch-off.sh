#!/bin/sh
# Silences the agent in one dialog, at once, also in the middle of a reply:
#   sh switch-off.sh <thread>
set -eu
. "$(dirname "$0")/service.sh"

switched=$(leadline leads/set-ai "$(jq -n --arg thread "$1" '{ thread_id: $thread, ai_enabled: false }')")
echo "$switched" | jq -r 'if .changed then "off: nothing of the agent leaves any more" else "it was off" end'
