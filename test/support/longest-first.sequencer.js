const Sequencer = require('@jest/test-sequencer').default;

/**
 * Whole seconds that the longest specs took on two cores. jest's own record of a former run takes precedence. In a
 * fresh clone, a long spec that began last would delay the end of the run.
 */
const SECONDS = {
  'test/demo/demo.e2e.spec.ts': 80,
  'test/promises/media/media-fairness.e2e.spec.ts': 68,
  'test/all/bench.e2e.spec.ts': 80,
  'apps/demo/src/embedded-postgres/embedded-postgres.e2e.spec.ts': 57,
  'test/promises/board/presence.e2e.spec.ts': 46,
  'test/promises/http/unread-bodies.e2e.spec.ts': 20,
  'test/promises/scenarios/http-steps.e2e.spec.ts': 18,
  'test/promises/media/thousand-files.e2e.spec.ts': 50,
  'test/promises/media/uploaded-media.e2e.spec.ts': 38,
  'test/promises/agent/agent-crash.e2e.spec.ts': 38,
  'test/promises/process/due-work.e2e.spec.ts': 37,
  'test/promises/scenarios/slow-calls.e2e.spec.ts': 35,
  'test/promises/agent/agent-off-race.e2e.spec.ts': 32,
  'test/promises/process/half-open.e2e.spec.ts': 30,
  'test/docs/examples.e2e.spec.ts': 29,
  'test/promises/process/graceful-drain.e2e.spec.ts': 28,
  'test/promises/accounts/raised-limits.e2e.spec.ts': 26,
  'test/promises/accounts/rate-windows.e2e.spec.ts': 26,
  'test/promises/scenarios/scenario-crash.e2e.spec.ts': 26,
  'test/promises/inbound/inbound-faults.e2e.spec.ts': 26,
  'test/promises/messages/send-crash.e2e.spec.ts': 26,
  'test/promises/leads/lead-crash.e2e.spec.ts': 24,
  'test/promises/messages/send-takeover.e2e.spec.ts': 23,
  'test/promises/scenarios/scenario-kills.e2e.spec.ts': 22,
  'test/promises/board/board-equals-database.e2e.spec.ts': 22,
  'test/promises/people/create-user.e2e.spec.ts': 20,
  'test/promises/scenarios/scenario-stop-races.e2e.spec.ts': 20,
  'test/promises/scenarios/scenario-leave-race.e2e.spec.ts': 20,
  'test/build/killed-run.e2e.spec.ts': 20,
  'test/promises/board/board-floods.e2e.spec.ts': 20,
  'test/promises/process/log-output.e2e.spec.ts': 19,
  'test/demo/refused-start.e2e.spec.ts': 18,
  'test/promises/leads/lead-concurrency.e2e.spec.ts': 18,
  'test/promises/agent/agent-outages.e2e.spec.ts': 17,
  'test/promises/board/board-limits.e2e.spec.ts': 17,
  'test/promises/http/hostile-requests.e2e.spec.ts': 17,
  'test/promises/people/guessing.e2e.spec.ts': 16,
  'test/promises/audit/audit-boundary.e2e.spec.ts': 16,
  'test/promises/agent/agent-failures.e2e.spec.ts': 16,
  'test/promises/messages/send-sandbox.e2e.spec.ts': 15,
  'test/promises/accounts/admin-api-keys.e2e.spec.ts': 15,
  'test/promises/messages/send-claims.e2e.spec.ts': 14,
  'test/promises/messages/send-unknown.e2e.spec.ts': 14,
  'test/promises/agent/replies.e2e.spec.ts': 14,
  'test/build/known-commands.e2e.spec.ts': 14,
  'test/promises/messages/send-outage.e2e.spec.ts': 14,
  'test/promises/board/board-log-lines.e2e.spec.ts': 13,
  'test/demo/npm-start.e2e.spec.ts': 13,
  'test/promises/inbound/inbound-messages.e2e.spec.ts': 13,
  'test/promises/messages/delivery-states.e2e.spec.ts': 13,
  'test/promises/board/board-slow-reader.e2e.spec.ts': 13,
  'test/promises/process/failing-start.e2e.spec.ts': 12,
  'test/promises/messages/send-pace.e2e.spec.ts': 12,
  'test/promises/messages/send-template.e2e.spec.ts': 12,
  'test/demo/demo-providers.e2e.spec.ts': 12,
  'test/promises/inbound/webhook-intake.e2e.spec.ts': 12,
  'test/promises/board/board-holes.e2e.spec.ts': 11,
  'test/promises/accounts/locked-threads.e2e.spec.ts': 11,
  'test/promises/agent/agent-tools.e2e.spec.ts': 10,
  'test/promises/agent/agent-retries.e2e.spec.ts': 10,
  'test/docs/production.e2e.spec.ts': 10,
  'test/promises/board/board-feed.e2e.spec.ts': 10,
  'test/promises/accounts/busy-accounts.e2e.spec.ts': 10,
  'test/promises/board/board-graceful-stop.e2e.spec.ts': 10,
  'test/promises/process/outages.e2e.spec.ts': 9,
  'test/promises/agent/agent-slow-model.e2e.spec.ts': 9,
  'test/promises/inbound/inbound-order.e2e.spec.ts': 9,
  'test/promises/agent/waiting-messages.e2e.spec.ts': 9,
  'test/promises/agent/ai-switch.e2e.spec.ts': 9,
  'test/promises/inbound/inbound-reports.e2e.spec.ts': 9,
  'test/promises/process/in-flight.e2e.spec.ts': 9,
  'test/promises/agent/agent-gate.e2e.spec.ts': 9,
  'test/monitor/outage.e2e.spec.ts': 38,
  'test/monitor/send-list.e2e.spec.ts': 38,
  'test/monitor/dialog-people.e2e.spec.ts': 35,
  'test/monitor/settings-scenarios.e2e.spec.ts': 30,
  'test/monitor/settings-users.e2e.spec.ts': 28,
  'test/monitor/hostile.e2e.spec.ts': 28,
  'test/monitor/settings-templates.e2e.spec.ts': 26,
  'test/monitor/profile.e2e.spec.ts': 24,
  'test/monitor/settings-pages.e2e.spec.ts': 23,
  'test/monitor/settings-keys.e2e.spec.ts': 22,
  'test/monitor/board-access.e2e.spec.ts': 20,
  'test/monitor/day.e2e.spec.ts': 19,
  'test/monitor/storage.e2e.spec.ts': 18,
  'test/monitor/board-live.e2e.spec.ts': 18,
  'libs/client/src/board.connection.e2e.spec.ts': 18,
  'test/all/pictures.e2e.spec.ts': 17,
  'test/monitor/settings-bots.e2e.spec.ts': 17,
  'test/monitor/send-csv.e2e.spec.ts': 17,
  'test/monitor/dialog-writing.e2e.spec.ts': 17,
  'test/monitor/dialog-switch.e2e.spec.ts': 16,
  'test/monitor/sign-in.e2e.spec.ts': 14,
  'test/monitor/settings-assistants.e2e.spec.ts': 14,
  'test/monitor/dialog-log.e2e.spec.ts': 13,
  'test/monitor/settings-audit.e2e.spec.ts': 13,
  'test/monitor/board-moves.e2e.spec.ts': 13,
  'test/monitor/dialog-files.e2e.spec.ts': 13,
  'test/monitor/board-cards.e2e.spec.ts': 11,
  'test/monitor/settings-work.e2e.spec.ts': 10,
  'test/monitor/settings-stages.e2e.spec.ts': 10,
  'test/monitor/settings-webhooks.e2e.spec.ts': 10,
  'test/monitor/conversation.e2e.spec.ts': 10,
  'test/monitor/board-keys.e2e.spec.ts': 9,
  'test/monitor/runs.e2e.spec.ts': 8,
};

/** Long specs that mostly wait, for leases and time limits of the product. Beside each runs one that needs the processor. */
const WAITING = new Set([
  'libs/client/src/board.connection.e2e.spec.ts',
  'test/monitor/outage.e2e.spec.ts',
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
