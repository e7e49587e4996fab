const Sequencer = require('@jest/test-sequencer').default;

/**
 * Whole seconds that the longest specs took on two cores. jest's own record of a former run takes precedence. In a
 * fresh clone, a long spec that began last would delay the end of the run.
 */
const SECONDS = {
  'test/demo/demo.spec.ts': 80,
  'test/promises/media/media-fairness.spec.ts': 68,
  'test/bench/bench.spec.ts': 80,
  'apps/demo/src/embedded-postgres/embedded-postgres.spec.ts': 57,
  'test/promises/board/presence.spec.ts': 46,
  'test/promises/http/unread-bodies.spec.ts': 20,
  'test/promises/scenarios/http-steps.spec.ts': 18,
  'test/promises/media/thousand-files.spec.ts': 50,
  'test/promises/media/uploaded-media.spec.ts': 38,
  'test/promises/agent/agent-crash.spec.ts': 38,
  'test/promises/process/due-work.spec.ts': 37,
  'test/promises/scenarios/slow-calls.spec.ts': 35,
  'test/promises/agent/agent-off-race.spec.ts': 32,
  'test/promises/process/half-open.spec.ts': 30,
  'test/docs/examples.spec.ts': 29,
  'test/promises/process/graceful-drain.spec.ts': 28,
  'test/promises/accounts/raised-limits.spec.ts': 26,
  'test/promises/accounts/rate-windows.spec.ts': 26,
  'test/promises/scenarios/scenario-crash.spec.ts': 26,
  'test/promises/inbound/inbound-faults.spec.ts': 26,
  'test/promises/messages/send-crash.spec.ts': 26,
  'test/promises/leads/lead-crash.spec.ts': 24,
  'test/promises/messages/send-takeover.spec.ts': 23,
  'test/promises/scenarios/scenario-kills.spec.ts': 22,
  'test/promises/board/board-equals-database.spec.ts': 22,
  'test/promises/people/create-user.spec.ts': 20,
  'test/promises/scenarios/scenario-stop-races.spec.ts': 20,
  'test/promises/scenarios/scenario-leave-race.spec.ts': 20,
  'test/build/killed-run.spec.ts': 20,
  'test/promises/board/board-floods.spec.ts': 20,
  'test/promises/process/log-output.spec.ts': 19,
  'test/demo/refused-start.spec.ts': 18,
  'test/promises/leads/lead-concurrency.spec.ts': 18,
  'test/promises/agent/agent-outages.spec.ts': 17,
  'test/promises/board/board-limits.spec.ts': 17,
  'test/promises/http/hostile-requests.spec.ts': 17,
  'test/promises/people/guessing.spec.ts': 16,
  'test/promises/audit/audit-boundary.spec.ts': 16,
  'test/promises/agent/agent-failures.spec.ts': 16,
  'test/promises/messages/send-sandbox.spec.ts': 15,
  'test/promises/accounts/admin-api-keys.spec.ts': 15,
  'test/promises/messages/send-claims.spec.ts': 14,
  'test/promises/messages/send-unknown.spec.ts': 14,
  'test/promises/agent/replies.spec.ts': 14,
  'test/build/known-commands.spec.ts': 14,
  'test/promises/messages/send-outage.spec.ts': 14,
  'test/promises/board/board-log-lines.spec.ts': 13,
  'test/demo/npm-start.spec.ts': 13,
  'test/promises/inbound/inbound-messages.spec.ts': 13,
  'test/promises/messages/delivery-states.spec.ts': 13,
  'test/promises/board/board-slow-reader.spec.ts': 13,
  'test/promises/process/failing-start.spec.ts': 12,
  'test/promises/messages/send-pace.spec.ts': 12,
  'test/promises/messages/send-template.spec.ts': 12,
  'test/demo/demo-providers.spec.ts': 12,
  'test/promises/inbound/webhook-intake.spec.ts': 12,
  'test/promises/board/board-holes.spec.ts': 11,
  'test/promises/accounts/locked-threads.spec.ts': 11,
  'test/promises/agent/agent-tools.spec.ts': 10,
  'test/promises/agent/agent-retries.spec.ts': 10,
  'test/docs/production.spec.ts': 10,
  'test/promises/board/board-feed.spec.ts': 10,
  'test/promises/accounts/busy-accounts.spec.ts': 10,
  'test/promises/board/board-graceful-stop.spec.ts': 10,
  'test/promises/process/outages.spec.ts': 9,
  'test/promises/agent/agent-slow-model.spec.ts': 9,
  'test/promises/inbound/inbound-order.spec.ts': 9,
  'test/promises/agent/waiting-messages.spec.ts': 9,
  'test/promises/agent/ai-switch.spec.ts': 9,
  'test/promises/inbound/inbound-reports.spec.ts': 9,
  'test/promises/process/in-flight.spec.ts': 9,
  'test/promises/agent/agent-gate.spec.ts': 9,
  'test/monitor/outage.spec.ts': 38,
  'test/monitor/send-list.spec.ts': 38,
  'test/monitor/dialog-people.spec.ts': 35,
  'test/monitor/settings-scenarios.spec.ts': 30,
  'test/monitor/settings-users.spec.ts': 28,
  'test/monitor/hostile.spec.ts': 28,
  'test/monitor/settings-templates.spec.ts': 26,
  'test/monitor/profile.spec.ts': 24,
  'test/monitor/settings-pages.spec.ts': 23,
  'test/monitor/settings-keys.spec.ts': 22,
  'test/monitor/board-access.spec.ts': 20,
  'test/monitor/day.spec.ts': 19,
  'test/monitor/storage.spec.ts': 18,
  'test/monitor/board-live.spec.ts': 18,
  'libs/client/src/board.connection.spec.ts': 18,
  'test/monitor/pictures.spec.ts': 17,
  'test/monitor/settings-bots.spec.ts': 17,
  'test/monitor/send-csv.spec.ts': 17,
  'test/monitor/dialog-writing.spec.ts': 17,
  'test/monitor/dialog-switch.spec.ts': 16,
  'test/monitor/sign-in.spec.ts': 14,
  'test/monitor/settings-assistants.spec.ts': 14,
  'test/monitor/dialog-log.spec.ts': 13,
  'test/monitor/settings-audit.spec.ts': 13,
  'test/monitor/board-moves.spec.ts': 13,
  'test/monitor/dialog-files.spec.ts': 13,
  'test/monitor/board-cards.spec.ts': 11,
  'test/monitor/settings-work.spec.ts': 10,
  'test/monitor/settings-stages.spec.ts': 10,
  'test/monitor/settings-webhooks.spec.ts': 10,
  'test/monitor/conversation.spec.ts': 10,
  'test/monitor/board-keys.spec.ts': 9,
  'test/monitor/runs.spec.ts': 8,
};

/** Long specs that mostly wait, for leases and time limits of the product. Beside each runs one that needs the processor. */
const WAITING = new Set([
  'libs/client/src/board.connection.spec.ts',
  'test/monitor/outage.spec.ts',
  ...[
    'accounts/revoked-at-work',
    'agent/agent-crash',
    'agent/agent-off-race',
    'agent/agent-outages',
    'agent/agent-retries',
    'agent/agent-slow-model',
    'board/board-log-lines',
    'board/presence',
    'inbound/inbound-faults',
    'media/media-fairness',
    'messages/send-pace',
    'process/failing-start',
    'process/graceful-drain',
    'process/half-open',
    'scenarios/scenario-kills',
    'scenarios/slow-calls',
  ].map((name) => `test/promises/${name}.spec.ts`),
]);

/** By turns, for as long as there are some of both. */
function spread(waiting, others) {
  const order = [];
  while (waiting.length > 0 && others.length > 0) order.push(waiting.shift(), others.shift());
  return [...order, ...waiting, ...others];
}

/** Starts the longest specs first, whatever failed before: by turns those that wait and those that work. */
module.exports = class LongestFirst extends Sequencer {
  static LONGEST = [...new Set([...Object.keys(SECONDS), ...WAITING])];

  sort(tests) {
    const nameOf = ({ path, context }) => path.slice(context.config.rootDir.length + 1);
    const secondsOf = (test) =>
      test.duration === undefined ? (SECONDS[nameOf(test)] ?? 0) : test.duration / 1000;
    const longestFirst = super.sort(tests).toSorted((one, other) => secondsOf(other) - secondsOf(one));
    const waits = (test) => WAITING.has(nameOf(test));
    return spread(
      longestFirst.filter(waits),
      longestFirst.filter((test) => !waits(test)),
    );
  }
};
