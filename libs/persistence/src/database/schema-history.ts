import { StartError } from '@app/contracts/coded.errors';
import { Baseline1764093600000 } from './migrations/1764093600000-baseline.migration';

const { name: BASELINE } = new Baseline1764093600000();

/** The commit before the baseline. Its migrations made the same schema, step by step. */
const LAST_COMMIT = '73f8699c';
/** The newest of them, which came in this or that order: where both ran, all did. */
const LAST_FORMER = ['ProcessHeartbeats1764089000000', 'OpeningHours1764090000000'];

/** What an outdated history is told of, and what helps. */
const OUTDATED = {
  database: {
    what: 'The database that DATABASE_URL names',
    remedy: `start commit ${LAST_COMMIT} on it once, then this version`,
  },
  backup: {
    what: 'The backup',
    remedy: `restore it with commit ${LAST_COMMIT}, then start this version on that database`,
  },
};

/** When a migration was written, by which all are ordered. */
const timeOf = (name: string): number => Number(name.slice(-13));

/**
 * The migrations since the baseline that count as run where those of the names ran. A database that had all migrations
 * from before it is taken as it is. It keeps their names, so that processes of the commit before may start beside us.
 * @throws StartError where only some of those from before ran
 */
export function sinceBaseline(ran: readonly string[], of: keyof typeof OUTDATED): string[] {
  const since = ran.filter((name) => timeOf(name) >= timeOf(BASELINE));
  if (since.includes(BASELINE) || since.length === ran.length) return since;
  if (LAST_FORMER.every((name) => ran.includes(name))) return [BASELINE, ...since];
  const { what, remedy } = OUTDATED[of];
  throw new StartError(
    `${what} is of a commit before ${LAST_COMMIT}, whose schema this version does not know: ${remedy}.`,
  );
}
