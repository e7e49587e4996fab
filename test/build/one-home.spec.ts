import ts from 'typescript';
import { lineOf, nodesOf, PERSISTENCE, sources } from './persistence.sources';

/** Where a thread's rules stand, and where they alone may stand. */
const HOME = `${PERSISTENCE}/threads/thread.rules.ts`;
/** Where a thread's log is written, and nowhere else. */
const LOG = `${PERSISTENCE}/threads/thread-log.statements.ts`;
/** Where events are written that are about no dialog. */
const ACCOUNT_LOG = `${PERSISTENCE}/events/event.statements.ts`;
const LINES_MAX = 60;

/** Forms in which a rule of a thread would be written a second time, with what `thread.rules.ts` has for it. */
const RULES: Record<string, RegExp> = {
  'isWaiting: the message that waits': /waiting_message_id IS (NOT )?NULL|answer_count\s*(=|<|>|<>)\s*0\b/,
  'recount, uncount, messageOfOurs: the count of answers': /answer_count\s*[-+]/,
  'countsAsAnswer: states that count': /NOT IN \('failed', 'dropped'\)/,
  'ANSWERABLE_FOR: for how long it may be answered': /waiting_at\s*[<>]=?/,
  'takeoverRuns, takeoverIsOver: whether a takeover runs': /takeover_until\s*[<>]=?/,
  'beginTakeover: when a takeover ends': /make_interval\(mins/,
  'ANSWERABLE_FOR: 24 hours': /interval '(24 hours|1 day)'/,
};
const LOG_IS_WRITTEN = /INSERT INTO events\b/;

/**
 * What is like a rule of a thread and is none: for how long an Idempotency-Key is kept, and a day of a scenario's runs.
 */
const NO_RULES: Record<string, string> = {
  [`${PERSISTENCE}/messages/sending/outbox.statements.ts`]: 'ANSWERABLE_FOR: 24 hours',
  [`${PERSISTENCE}/messages/sending/idempotency.repository.ts`]: 'ANSWERABLE_FOR: 24 hours',
  [`${PERSISTENCE}/scenarios/runs/dialog-runs.statements.ts`]: 'ANSWERABLE_FOR: 24 hours',
};

/** Each runs on a connection of its own, which prepares nothing. */
const UNPREPARED: ReadonlySet<string> = new Set([
  `${PERSISTENCE}/database/migration-runner.ts`,
  `${PERSISTENCE}/work/notifications-connection.ts`,
]);

interface Sql {
  file: string;
  line: number;
  lines: number;
  text: string;
}

const isText = (node: ts.Node): node is ts.TemplateLiteral | ts.StringLiteral =>
  ts.isTemplateExpression(node) || ts.isStringLiteralLike(node);

/** Texts of the sources, each with all that is written into it in its place. */
const texts: Sql[] = sources.flatMap((source) =>
  [...nodesOf(source)].filter(isText).map((node) => {
    const text = node.getText();
    return { file: source.fileName, line: lineOf(node), lines: text.split('\n').length, text };
  }),
);

/** Changes of what asks for an operator, as properties. */
const ATTENTION_CHANGES = sources.flatMap((source) =>
  [...nodesOf(source)]
    .filter(ts.isPropertyAssignment)
    .filter(
      ({ name, initializer }) => /^attention(_note|_since)?$/.test(name.getText()) && isText(initializer),
    )
    .map((node) => ({ file: source.fileName, line: lineOf(node) })),
);

const at = ({ file, line }: Pick<Sql, 'file' | 'line'>, what: string): string => `${file}:${line} ${what}`;

/** Names of statements, as `statement('…')` and `{ name: '…' }` declare them. */
const names = sources.flatMap((source) =>
  [...nodesOf(source)].flatMap((node) => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'statement')
      return [node.arguments[0]?.getText()];
    if (
      ts.isPropertyAssignment(node) &&
      node.name.getText() === 'name' &&
      ts.isStringLiteral(node.initializer)
    )
      return [node.initializer.getText()];
    return [];
  }),
);

describe('The statements of persistence', () => {
  it('are found', () => {
    expect(texts.length).toBeGreaterThan(500);
    expect(names.length).toBeGreaterThan(80);
    expect(texts.some(({ file }) => file === HOME)).toBe(true);
  });

  it('take the rules of a thread from the one file that has them', () => {
    const written = texts
      .filter(({ file }) => file !== HOME && !file.endsWith('.entity.ts'))
      .flatMap((sql) =>
        Object.entries(RULES)
          .filter(([rule, form]) => form.test(sql.text) && NO_RULES[sql.file] !== rule)
          .map(([rule]) => at(sql, rule)),
      );
    expect(written).toEqual([]);
  });

  it.each(Object.entries(RULES))('and that file has %s', (_, form) => {
    expect(texts.some(({ file, text }) => file === HOME && form.test(text))).toBe(true);
  });

  it('write the log of a thread in one file, and what is about no dialog in another', () => {
    const written = texts.filter(({ text }) => LOG_IS_WRITTEN.test(text));
    expect(new Set(written.map(({ file }) => file))).toEqual(new Set([LOG, ACCOUNT_LOG]));
  });

  it('ask for an operator, or for nobody, by the changes that it has, which set all three columns', () => {
    const written = [
      ...texts.filter(({ text }) => /(?<!\.)\battention(_note|_since)?\s*=/.test(text)),
      ...ATTENTION_CHANGES,
    ];
    expect(written.map(({ file }) => file)).toContain(HOME);
    expect(written.filter(({ file }) => file !== HOME).map((sql) => at(sql, 'attention'))).toEqual([]);
  });

  it(`are told in ${LINES_MAX} lines each`, () => {
    const long = texts.filter(({ lines }) => lines > LINES_MAX);
    expect(long.map((sql) => at(sql, `${sql.lines} lines`))).toEqual([]);
  });

  it('name their parameters', () => {
    const numbered = texts.filter(({ file, text }) => !UNPREPARED.has(file) && /(?<!\\)\$[1-9]/.test(text));
    expect(numbered.map((sql) => at(sql, 'has a number'))).toEqual([]);
  });

  it('have each a name of its own, by which it is prepared', () => {
    expect(names.filter((name, n) => names.indexOf(name) < n)).toEqual([]);
  });
});
