const Sequencer = require('@jest/test-sequencer').default;

/** Those that take longest, the longest first: one of them that began last would delay the end of the run. */
const LONGEST = [
  'test/all/bench.e2e.spec.ts',
  'test/promises/process/due-work.e2e.spec.ts',
  'test/demo/demo.e2e.spec.ts',
  'test/promises/media/media-fairness.e2e.spec.ts',
  'test/promises/board/presence.e2e.spec.ts',
  'test/promises/agent/agent-crash.e2e.spec.ts',
  'test/promises/scenarios/slow-calls.e2e.spec.ts',
  'test/promises/agent/agent-off-race.e2e.spec.ts',
  'test/promises/process/half-open.e2e.spec.ts',
  'test/docs/examples.e2e.spec.ts',
];

/** Without a record of a former run, the sizes by name tell: so many seconds. */
function usualSeconds(name) {
  const place = LONGEST.indexOf(name);
  if (place >= 0) return 1_000 - place;
  if (name.endsWith('.e2e.spec.ts')) return 10;
  return name.endsWith('.db.spec.ts') ? 2 : 1;
}

/** Starts the longest specs first, whatever failed before; of equal ones, as jest does, the larger file. */
module.exports = class LongestFirst extends Sequencer {
  static LONGEST = LONGEST;

  sort(tests) {
    const nameOf = ({ path, context }) => path.slice(context.config.rootDir.length + 1);
    const secondsOf = (test) => (test.duration ? test.duration / 1_000 : usualSeconds(nameOf(test)));
    return super.sort(tests).toSorted((one, other) => secondsOf(other) - secondsOf(one));
  }
};
