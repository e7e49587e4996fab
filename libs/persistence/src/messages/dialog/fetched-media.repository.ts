import { Injectable } from '@nestjs/common';
import { Database, WorkDatabase } from '../../database/database.service';
import type { CamelCased, NotNull } from '../../database/row-types';
import { statement } from '../../database/sql.statements';
import { WRITTEN } from '../../media/media-file.repository';
import type { MediaEntity } from '../../media/media.entity';
import { FACTS, factValues, type StoredFacts } from '../../media/media.repository';
import { appendEvents, ENTRIES } from '../../threads/thread-log.statements';
import { countBacklog, type WorkBacklog, ownersOf, leaseFor, leaseIsFree } from '../../work/work.statements';

type MediaKey = CamelCased<Pick<MediaEntity, 'account_id' | 'id'>>;

/** A file that this process fetches. */
export interface HeldMedia extends MediaKey {
  token: string;
}

/** What is fetched, and from where. `attempts` does not count this try. */
export interface ClaimedMedia
  extends
    Pick<MediaEntity, 'kind' | 'mime_type' | 'file_name' | 'bot_id' | 'channel' | 'attempts'>,
    NotNull<Pick<MediaEntity, 'provider_ref'>> {
  /** Whether it came so long ago that it is not tried again. */
  is_last_try: boolean;
}

/** Whether something changed, and whether the log has something new. */
interface EndRow {
  logged: boolean;
}

/** Account by account, along the index: one with thousands of files hides no other. */
const DUE = statement('media-due').takes('perAccount').returns<MediaKey>(`
  WITH RECURSIVE ${ownersOf('media', `state = 'loading'`)}
  SELECT a.account_id AS "accountId", d.id
    FROM owners a
    CROSS JOIN LATERAL (
      SELECT m.id, row_number() OVER (ORDER BY m.due_at) AS place FROM media m
       WHERE m.account_id = a.account_id AND m.state = 'loading' AND m.due_at <= now() AND ${leaseIsFree('m')}
       ORDER BY m.due_at LIMIT :perAccount) d
   WHERE a.account_id IS NOT NULL
   ORDER BY d.place LIMIT 5000`);

export const CLAIM = statement('media-claim').takes('accountId', 'id', 'token', 'leaseMs', 'triedForSeconds')
  .returns<ClaimedMedia>(`
  WITH locked AS MATERIALIZED (
    SELECT account_id, id FROM media m
     WHERE account_id = :accountId AND id = :id AND state = 'loading' AND due_at <= clock_timestamp() AND ${leaseIsFree('m')}
       FOR NO KEY UPDATE SKIP LOCKED),
  leased AS MATERIALIZED (SELECT l.*, ${leaseFor(':leaseMs')} AS until, clock_timestamp() AS at FROM locked l)
  UPDATE media m SET lease_token = :token, lease_until = l.until
    FROM leased l WHERE m.account_id = l.account_id AND m.id = l.id
  RETURNING m.kind, m.mime_type, m.file_name, m.bot_id, m.channel, m.provider_ref, m.attempts,
            m.created_at < l.at - make_interval(secs => :triedForSeconds::float8) AS is_last_try`);

const IS_HELD = `m.account_id = :accountId AND m.id = :id AND m.lease_token = :token AND m.state = 'loading'`;

const RENEW = statement('media-renew')
  .takes('accountId', 'id', 'token', 'leaseMs')
  .returns<{
    renewed: number;
  }>(`UPDATE media m SET lease_until = ${leaseFor(':leaseMs')} WHERE ${IS_HELD} RETURNING 1 AS renewed`);

/** Without a reason the try was cut short by us and is not counted. */
const RELEASE = statement('media-release').takes('accountId', 'id', 'token', 'reason', 'backOffSeconds')
  .returns(`
  UPDATE media m
     SET lease_token = NULL, lease_until = NULL, error = coalesce(:reason, m.error),
         attempts = m.attempts + (:reason::text IS NOT NULL)::int,
         due_at = clock_timestamp() + make_interval(secs => :backOffSeconds::float8)
   WHERE ${IS_HELD}`);

/** The message of the file, and its thread, which is locked first. */
const SAID = `
  said AS MATERIALIZED (
    SELECT m.id AS message_id, m.thread_id FROM messages m
     WHERE m.account_id = :accountId AND m.media_id = :id LIMIT 1),
  cur AS MATERIALIZED (
    SELECT id FROM threads WHERE account_id = :accountId AND id = (SELECT thread_id FROM said) FOR NO KEY UPDATE),
  clock AS MATERIALIZED (SELECT clock_timestamp() AS at FROM (SELECT count(*) FROM cur) c)`;

/** Boards hear of the message once more. */
const TELL_BOARDS = `
  moved AS (
    UPDATE threads t SET version = t.version + 1 FROM cur c, said s, ended e
     WHERE t.account_id = :accountId AND t.id = c.id
    RETURNING t.id, t.assistant_id, t.version, s.message_id, e.state, e.ended_at AS at),
  logged AS (${appendEvents('moved', { by: `'PROVIDER'` }, [ENTRIES.messageState('t.message_id', 't.state')])})
  SELECT EXISTS (SELECT 1 FROM logged) AS logged FROM ended`;

const END = 'lease_token = NULL, lease_until = NULL, due_at = NULL, ended_at = k.at';

const STORED = statement('media-stored').takes('accountId', 'id', 'token', ...FACTS).returns<EndRow>(`
  WITH ${SAID}, ${WRITTEN},
  ended AS (
    UPDATE media m
       SET state = 'stored', sha256 = l.sha256, size = l.size, kind = :kind, mime_type = :mimeType, file_name = :fileName,
           width = :width::int, height = :height::int, seconds = :seconds::int, error = NULL, ${END}
      FROM clock k, longer l WHERE ${IS_HELD}
    RETURNING m.state, m.ended_at),
  ${TELL_BOARDS}`);

const FAILED = statement('media-failed').takes('accountId', 'id', 'token', 'reason').returns<EndRow>(`
  WITH ${SAID},
  ended AS (
    UPDATE media m SET state = 'failed', error = :reason, ${END} FROM clock k WHERE ${IS_HELD}
    RETURNING m.state, m.ended_at),
  ${TELL_BOARDS}`);

const BACKLOG = statement('media-backlog')
  .takes('accountId')
  .returns<WorkBacklog>(
    countBacklog(
      `SELECT m.account_id, m.due_at, NOT ${leaseIsFree('m')} AS held FROM media m
      WHERE m.state = 'loading' AND m.due_at <= clock_timestamp()`,
      `SELECT account_id FROM media WHERE state = 'failed' AND ended_at > now() - interval '1 hour'`,
    ),
  );

/** Files of customers that are fetched from their providers, each by one process at a time. */
@Injectable()
export class FetchedMediaRepository {
  constructor(
    private readonly database: Database,
    private readonly work: WorkDatabase,
  ) {}

  /** Files that are due and that nobody fetches, the first of each account first. */
  async due(perAccount: number): Promise<MediaKey[]> {
    return this.work.run(DUE, { perAccount });
  }

  async backlog(accountId: string | null): Promise<WorkBacklog | undefined> {
    return (await this.database.run(BACKLOG, { accountId }))[0];
  }

  /**
   * @param triedForSeconds after that time a try is the last one
   * @returns null when the file is not due, or somebody else fetches it.
   */
  async claim(held: HeldMedia, leaseMs: number, triedForSeconds: number): Promise<ClaimedMedia | null> {
    return (await this.work.run(CLAIM, { ...held, leaseMs, triedForSeconds }))[0] ?? null;
  }

  /** @returns whether the lease was still held. */
  async renew(held: HeldMedia, leaseMs: number): Promise<boolean> {
    return (await this.work.run(RENEW, { ...held, leaseMs })).length > 0;
  }

  /**
   * The file is due again after some seconds.
   * @param reason why it did not come; null: the try does not count
   */
  async release(held: HeldMedia, reason: string | null, backOffSeconds: number): Promise<void> {
    await this.work.run(RELEASE, { ...held, reason, backOffSeconds });
  }

  /**
   * The bytes were claimed and written.
   * @returns whether the log has something new; null when the lease or the claim is over, and nothing changed.
   */
  async stored(held: HeldMedia, facts: StoredFacts): Promise<boolean | null> {
    return loggedOf(await this.database.run(STORED, { ...held, ...factValues(facts) }));
  }

  /** The file does not come any more. @returns as {@link stored}. */
  async failed(held: HeldMedia, reason: string): Promise<boolean | null> {
    return loggedOf(await this.database.run(FAILED, { ...held, reason }));
  }
}

const loggedOf = ([row]: EndRow[]): boolean | null => row?.logged ?? null;
