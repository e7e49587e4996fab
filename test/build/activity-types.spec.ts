import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type * as statements from '@app/persistence/database/sql.statements';
import { MOVING_TYPES } from '@app/persistence/threads/thread-seen.statements';

const mockTexts = new Map<string, string>();

/** Each statement of the product is noted when its module is loaded. */
jest.mock('@app/persistence/database/sql.statements', () => {
  const real: typeof statements = jest.requireActual('@app/persistence/database/sql.statements');
  const noting = (name: string, ...parameters: string[]) => ({
    returns: (text: string) => {
      const made = real
        .statement(name)
        .takes(...parameters)
        .returns(text);
      mockTexts.set(made.name, made.text);
      return made;
    },
  });
  return {
    ...real,
    statement: (name: string) => ({
      takes: (...parameters: string[]) => noting(name, ...parameters),
      ...noting(name),
    }),
  };
});

const FOLDER = join(__dirname, '../../libs/persistence/src');

/** Types that do not move a dialog in every entry: which of them do is in their data. */
const TOLD_BY_DATA = ['handler', 'attention'];
/** Shows on cards only. A message from before its number was connected has it, and moves its dialog by its own time. */
const CARD = 'card';

/** Of a thread that is there, or of one that is opened. */
const WRITES_ACTIVITY = /last_activity_at = |INSERT INTO threads \([^)]*last_activity_at/;

/** The types of entries that each statement writes, by whether it also writes `last_activity_at`. */
function written(): { moving: Set<string>; staying: Set<string> } {
  for (const file of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }))
    if (/\.(statements?|repository|fragments)\.ts$/.test(file)) jest.requireActual(join(FOLDER, file));
  const found = { moving: new Set<string>(), staying: new Set<string>() };
  for (const text of mockTexts.values()) {
    if (!text.includes('INSERT INTO events')) continue;
    const types = [...text.matchAll(/ AS step, '(\w+)' AS type/g)].map(([, type = '']) => type);
    const into = WRITES_ACTIVITY.test(text) ? found.moving : found.staying;
    for (const type of types) into.add(type);
  }
  return found;
}

it('every entry that comes with a new last_activity_at is of a type by which lists know its place', () => {
  const { moving, staying } = written();
  expect([...moving].filter((type) => type !== CARD).toSorted()).toEqual(
    [...MOVING_TYPES, ...TOLD_BY_DATA].toSorted(),
  );
  expect([...staying].filter((type) => (MOVING_TYPES as readonly string[]).includes(type))).toEqual([]);
});
