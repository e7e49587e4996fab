import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.service';
import { statement, purgeOf } from '../../database/sql.statements';
import type { SignInTriesEntity } from './user.entity';

/** Something by which tries are counted, and how many may be made; null: they are counted for others' limits only. */
export interface TryLimit {
  subject: Buffer;
  most: number | null;
}

/** A counted try, or after how many seconds one may be made. */
export type CountedTry = { at: Date } | { retryAfterSeconds: number };

interface Counted extends Pick<SignInTriesEntity, 'subject' | 'tries'> {
  at: Date;
}

/** Minutes in which tries count. */
const WINDOW_MINUTES = 15;
const WINDOW_MS = WINDOW_MINUTES * 60_000;
const WINDOW = `interval '${WINDOW_MINUTES} minutes'`;
const OWNER = 'sign-in';

const PREPARE = statement('sign-in-tries-prepare').takes('subjects').returns(`
  INSERT INTO sign_in_tries (subject, tries, last_at)
  SELECT subject, '{}', clock_timestamp() FROM unnest(:subjects::bytea[]) subject ORDER BY subject ON CONFLICT DO NOTHING`);
const LOCK = statement('sign-in-tries-lock').takes('subjects').returns<Pick<Counted, 'subject'>>(`
  SELECT subject FROM sign_in_tries WHERE subject = ANY (:subjects::bytea[]) ORDER BY subject FOR UPDATE`);
const COUNT = statement('sign-in-tries-count').takes('subjects').returns<Counted>(`
  SELECT t.subject, array(SELECT x FROM unnest(t.tries) x WHERE x > now.at - ${WINDOW} ORDER BY x) AS tries, now.at
    FROM sign_in_tries t, (SELECT date_trunc('milliseconds', clock_timestamp()) AS at) now
   WHERE t.subject = ANY (:subjects::bytea[])`);
const ADD = statement('sign-in-tries-add').takes('subjects', 'at').returns(`
  UPDATE sign_in_tries SET last_at = :at::timestamptz, tries = :at::timestamptz
           || array(SELECT x FROM unnest(tries) x WHERE x > :at::timestamptz - ${WINDOW} ORDER BY x DESC)
   WHERE subject = ANY (:subjects::bytea[])`);
const FORGIVE = statement('sign-in-tries-forgive').takes('subjects', 'at').returns(`
  UPDATE sign_in_tries SET tries = tries[1 : array_position(tries, CAST(:at AS timestamptz)) - 1]
           || tries[array_position(tries, CAST(:at AS timestamptz)) + 1 : cardinality(tries)]
   WHERE subject = ANY (:subjects::bytea[]) AND :at::timestamptz = ANY (tries)`);
const KNOWN = statement('sign-in-network-known').takes('emailKey', 'network').returns<{ known: boolean }>(`
  SELECT EXISTS (
    SELECT FROM users u JOIN user_sessions s ON s.account_id = u.account_id AND s.user_id = u.id
     WHERE u.email_key = :emailKey AND s.network = :network
       AND s.last_seen_at > clock_timestamp() - interval '30 days') AS known`);
const PURGE = statement('sign-in-tries-purge')
  .takes('limit')
  .returns(purgeOf('sign_in_tries', { where: `o.last_at < now() - 2 * ${WINDOW}`, by: 'last_at' }));

/** Counts tries to sign in exactly, over all processes. */
@Injectable()
export class SignInTriesRepository {
  constructor(private readonly database: Database) {}

  /** Counts a try, unless there were as many as one of the limits allows. A refused one does not count. */
  async count(limits: readonly TryLimit[]): Promise<CountedTry> {
    const subjects = limits.map(({ subject }) => subject);
    return this.database.transactFor(OWNER, async (transaction) => {
      await transaction.run(PREPARE, { subjects });
      await transaction.run(LOCK, { subjects });
      const counted = await transaction.run(COUNT, { subjects });
      const waits = limits.map(({ subject, most }) => {
        const row = counted.find((found) => found.subject.equals(subject));
        // Of as many tries as are allowed, the oldest must be over first.
        const oldest = most === null ? undefined : row?.tries.at(-most);
        return row && oldest ? +oldest + WINDOW_MS - +row.at : 0;
      });
      const wait = Math.max(...waits);
      const [first] = counted;
      if (wait > 0 || !first) return { retryAfterSeconds: Math.max(1, Math.ceil(wait / 1000)) };
      await transaction.run(ADD, { subjects, at: first.at });
      return { at: first.at };
    });
  }

  /** Takes one counted try back. */
  async forgive(limits: readonly TryLimit[], at: Date): Promise<void> {
    const subjects = limits.map(({ subject }) => subject);
    await this.database.transactFor(OWNER, async (transaction) => {
      await transaction.run(LOCK, { subjects });
      await transaction.run(FORGIVE, { subjects, at });
    });
  }

  /** Whether the person of an address has worked from a network in the last 30 days. */
  async isKnown(emailKey: string, network: string): Promise<boolean> {
    const [row] = await this.database.runFor(OWNER, KNOWN, { emailKey, network });
    return row?.known === true;
  }

  /** Deletes a bounded number of rows that count nothing any more, and returns how many it deleted. */
  async purge(limit: number): Promise<number> {
    return (await this.database.run(PURGE, { limit })).length;
  }
}
