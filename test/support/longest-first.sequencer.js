const Sequencer = require('@jest/test-sequencer').default;

/**
 * Whole seconds that the longest specs took on two cores. jest's own record of a former run takes precedence. In a
 * fresh clone, a long spec that began last would delay the end of the run.
 */
const SECONDS = {
  'test/bench/bench.spec.ts': 120,
  'test/promises/accounts/raised-limits.spec.ts': 100,
  'test/demo/demo.spec.ts': 95,
  'test/promises/process/half-open.spec.ts': 85,
  'test/promises/leads/lead-crash.spec.ts': 80,
  'test/promises/messages/send-takeover.spec.ts': 75,
  'test/promises/agent/agent-crash.spec.ts': 70,
  'test/docs/examples.spec.ts': 70,
  'test/promises/accounts/rate-windows.spec.ts': 65,
  'test/promises/agent/agent-outages.spec.ts': 60,
  'test/promises/process/outages.spec.ts': 60,
  'test/demo/demo-providers.spec.ts': 55,
  'test/promises/agent/agent-off-race.spec.ts': 55,
  'apps/demo/src/embedded-postgres/embedded-postgres.spec.ts': 55,
  'test/promises/board/board-equals-database.spec.ts': 50,
  'test/build/killed-run.spec.ts': 50,
  'test/promises/board/board-floods.spec.ts': 45,
  'test/promises/process/failing-start.spec.ts': 40,
  'test/promises/http/hostile-requests.spec.ts': 40,
  'test/demo/refused-start.spec.ts': 30,
  'test/demo/demo-seed.spec.ts': 30,
  'test/promises/messages/send-unknown.spec.ts': 30,
  'test/promises/messages/send-crash.spec.ts': 30,
  'test/promises/messages/send-claims.spec.ts': 30,
  'test/promises/process/connection-settings.spec.ts': 30,
  'test/promises/agent/agent-slow-model.spec.ts': 25,
  'test/promises/agent/agent-waiting.spec.ts': 25,
};

/** Starts the longest specs first, whatever failed before. */
module.exports = class LongestFirst extends Sequencer {
  static LONGEST = Object.keys(SECONDS);

  sort(tests) {
    const secondsOf = ({ path, duration, context }) =>
      duration === undefined
        ? (SECONDS[path.slice(context.config.rootDir.length + 1)] ?? 0)
        : duration / 1000;
    return super.sort(tests).toSorted((one, other) => secondsOf(other) - secondsOf(one));
  }
};
