const { readFileSync } = require('node:fs');

const Sequencer = require('@jest/test-sequencer').default;

/** Those that take longest, the longest first: one of them that began last would delay the end of the run. */
const LONGEST = [
  'test/all/bench.e2e.spec.ts',
  'test/client/client.e2e.spec.ts',
  'test/promises/process/due-work.e2e.spec.ts',
  'test/promises/process/half-open.e2e.spec.ts',
  'test/docs/examples.e2e.spec.ts',
  'test/promises/media/media-fairness.e2e.spec.ts',
  'test/promises/board/presence.e2e.spec.ts',
  'test/promises/people/erasing.e2e.spec.ts',
  'test/demo/demo.e2e.spec.ts',
  'test/promises/webhooks-out/webhooks-out.e2e.spec.ts',
];

/** Those above begin before all others. */
const LONG_SECONDS = 30;

/** Without a record of a former run, the sizes by name tell: so many seconds. */
function usualSeconds(name) {
  const place = LONGEST.indexOf(name);
  if (place >= 0) return 1_000 - place;
  if (name.endsWith('.e2e.spec.ts')) return 10;
  return name.endsWith('.db.spec.ts') ? 2 : 1;
}

/** Files whose worker's servers are as many and have the same settings run after each other: it keeps those of one kind. */
function settingsOf({ path }) {
  const text = readFileSync(path, 'utf8');
  const isPair = /servers: 2|TwoBoards/.test(text) ? 0.5 : 0;
  if (text.includes('agentCouldAnswer')) return isPair;
  return isPair + (/ReplyScene/.test(text) ? 1 : 2);
}

/** Starts the longest specs first, whatever failed before, then the others by the settings of their worker's server. */
module.exports = class LongestFirst extends Sequencer {
  static LONGEST = LONGEST;

  sort(tests) {
    const nameOf = ({ path, context }) => path.slice(context.config.rootDir.length + 1);
    const keys = new Map(
      tests.map((test) => {
        const seconds = test.duration ? test.duration / 1_000 : usualSeconds(nameOf(test));
        return [test, { isLong: seconds > LONG_SECONDS, settings: settingsOf(test), seconds }];
      }),
    );
    return super.sort(tests).toSorted((one, other) => {
      const [a, b] = [keys.get(one), keys.get(other)];
      if (a.isLong || b.isLong) return b.isLong - a.isLong || b.seconds - a.seconds;
      return a.settings - b.settings || b.seconds - a.seconds;
    });
  }
};
