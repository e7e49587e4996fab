import type { TranscriptState } from '@app/contracts/media.words';
import { Injectable } from '@nestjs/common';
import type { AccountEntity } from '../../accounts/account.entity';
import { Database, WorkDatabase } from '../../database/database.service';
import type { CamelCased } from '../../database/row-types';
import { statement } from '../../database/sql.statements';
import type { MediaEntity } from '../../media/media.entity';
import { appendEvents } from '../../threads/thread-log.statements';
import { countBacklog, type WorkBacklog, ownersOf, leaseFor, leaseIsFree } from '../../work/work.statements';
import type { HeldMedia } from './fetched-media.repository';
import type { MessageEntity } from './message.entity';
import { previewOf } from './message-columns';
import { IS_LAST, LOCK_THREAD } from '../delivery/revision.statements';

type MediaKey = CamelCased<Pick<MediaEntity, 'account_id' | 'id'>>;

/** Audio that this process has transcribed. */
export type ClaimedAudio = Pick<
  MediaEntity,
  'kind' | 'mime_type' | 'size' | 'seconds' | 'sha256' | 'transcript_failures'
> & {
  /** Whether its account wants transcripts. */
  is_wanted: AccountEntity['transcription'];
};

/** What became of a transcript. */
export interface TranscriptEnd {
  /** Null: nothing transcribes it. */
  state: Exclude<TranscriptState, 'pending'> | null;
  text?: string;
  language?: string | null;
  /** What the dialog's card shows of it. */
  line?: string;
  /** Why there is none. */
  reason?: string;
}

const IS_DUE = `m.transcript_state = 'pending' AND m.state = 'stored'`;

/** Account by account, along the index: one with thousands of voice notes hides no other. */
const DUE = statement('transcripts-due').takes('perAccount').returns<MediaKey>(`
  WITH RECURSIVE ${ownersOf('media', `transcript_state = 'pending' AND state = 'stored'`, 'transcript_due_at')}
  SELECT a.account_id AS "accountId", d.id
    FROM owners a
    CROSS JOIN LATERAL (
      SELECT m.id, row_number() OVER (ORDER BY m.transcript_due_at) AS place FROM media m
       WHERE m.account_id = a.account_id AND ${IS_DUE} AND m.transcript_due_at <= now() AND ${leaseIsFree('m')}
       ORDER BY m.transcript_due_at LIMIT :perAccount) d
   WHERE a.account_id IS NOT NULL
   ORDER BY d.place LIMIT 5000`);

export const CLAIM = statement('transcript-claim').takes('accountId', 'id', 'token', 'leaseMs')
  .returns<ClaimedAudio>(`
  WITH locked AS MATERIALIZED (
    SELECT account_id, id FROM media m
     WHERE account_id = :accountId AND id = :id AND ${IS_DUE} AND transcript_due_at <= clock_timestamp() AND ${leaseIsFree('m')}
       FOR NO KEY UPDATE SKIP LOCKED),
  leased AS MATERIALIZED (SELECT l.*, ${leaseFor(':leaseMs')} AS until FROM locked l)
  UPDATE media m SET lease_token = :token, lease_until = l.until
    FROM leased l JOIN accounts a ON a.id = l.account_id WHERE m.account_id = l.account_id AND m.id = l.id
  RETURNING m.kind, m.mime_type, m.size, m.seconds, m.sha256, m.transcript_failures, a.transcription AS is_wanted`);

const IS_HELD = `m.account_id = :accountId AND m.id = :id AND m.lease_token = :token AND ${IS_DUE}`;

const RENEW = statement('transcript-renew')
  .takes('accountId', 'id', 'token', 'leaseMs')
  .returns<{
    renewed: number;
  }>(`UPDATE media m SET lease_until = ${leaseFor(':leaseMs')} WHERE ${IS_HELD} RETURNING 1 AS renewed`);

/** Without a reason the try was cut short by us and is not counted. */
const RELEASE = statement('transcript-release').takes('accountId', 'id', 'token', 'reason', 'backOffMs')
  .returns(`
  UPDATE media m
     SET lease_token = NULL, lease_until = NULL, error = coalesce(:reason, m.error),
         transcript_failures = m.transcript_failures + (:reason::text IS NOT NULL)::int,
         transcript_due_at = clock_timestamp() + make_interval(secs => :backOffMs::float8 / 1000)
   WHERE ${IS_HELD}`);

const MESSAGE = statement('transcript-message').takes('accountId', 'id').returns<
  Pick<MessageEntity, 'id' | 'thread_id'>
>(`
  SELECT id, thread_id FROM messages WHERE account_id = :accountId AND media_id = :id LIMIT 1`);

/** In its locked thread. Of a message that was deleted meanwhile nothing is told. */
const END = statement('transcript-end').takes(
  ...(['accountId', 'id', 'token', 'messageId', 'state', 'text', 'language', 'line', 'reason'] as const),
).returns<{ logged: boolean }>(`
  WITH ended AS (
    UPDATE media m
       SET transcript_state = :state, transcript_text = :text, transcript_language = :language, transcript_due_at = NULL,
           transcript_ended_at = clock_timestamp(), error = :reason, lease_token = NULL, lease_until = NULL
     WHERE ${IS_HELD} RETURNING m.transcript_ended_at AS at),
  shown AS MATERIALIZED (
    SELECT m.id, m.thread_id, e.at, ${IS_LAST} AS is_last
      FROM ended e CROSS JOIN messages m WHERE m.account_id = :accountId AND m.id = :messageId AND m.deleted_at IS NULL),
  moved AS (
    UPDATE threads t
       SET version = t.version + 1,
           last_message_text = CASE WHEN s.is_last AND :line::text IS NOT NULL THEN ${previewOf(':line::text')}
                                    ELSE t.last_message_text END
      FROM shown s WHERE t.account_id = :accountId AND t.id = s.thread_id
    RETURNING t.id, t.assistant_id, t.version, s.id AS message_id, s.at),
  queued AS (
    INSERT INTO search_queue (account_id, thread_id, message_id)
    SELECT :accountId::uuid, thread_id, id FROM shown WHERE :text::text IS NOT NULL),
  logged AS (${appendEvents('moved', { by: `'PROVIDER'` }, [
    {
      type: `'message_transcribed'`,
      body: `jsonb_build_object('message_id', t.message_id, 'to', coalesce(:state::text, 'none'))`,
    },
  ])})
  SELECT EXISTS (SELECT 1 FROM logged) AS logged FROM ended`);

const BACKLOG = statement('transcripts-backlog')
  .takes('accountId')
  .returns<WorkBacklog>(
    countBacklog(
      `SELECT m.account_id, m.transcript_due_at AS due_at, NOT ${leaseIsFree('m')} AS held FROM media m
      WHERE ${IS_DUE} AND m.transcript_due_at <= clock_timestamp()`,
      `SELECT account_id FROM media WHERE transcript_state = 'failed' AND transcript_ended_at > now() - interval '1 hour'`,
    ),
  );

/** Customers' audio that is transcribed, each by one process at a time. */
@Injectable()
export class TranscriptRepository {
  constructor(
    private readonly database: Database,
    private readonly work: WorkDatabase,
  ) {}

  /** Audio that is due and that nobody has transcribed, the first of each account first. */
  async due(perAccount: number): Promise<MediaKey[]> {
    return this.work.run(DUE, { perAccount });
  }

  async backlog(accountId: string | null): Promise<WorkBacklog | undefined> {
    return (await this.database.run(BACKLOG, { accountId }))[0];
  }

  /** @returns null when it is not due, or somebody else has it. */
  async claim(held: HeldMedia, leaseMs: number): Promise<ClaimedAudio | null> {
    return (await this.work.run(CLAIM, { ...held, leaseMs }))[0] ?? null;
  }

  /** @returns whether the lease was still held. */
  async renew(held: HeldMedia, leaseMs: number): Promise<boolean> {
    return (await this.work.run(RENEW, { ...held, leaseMs })).length > 0;
  }

  /**
   * It is due again later.
   * @param reason why it failed; null: the try does not count
   */
  async release(held: HeldMedia, reason: string | null, backOffMs: number): Promise<void> {
    await this.work.run(RELEASE, { ...held, reason, backOffMs });
  }

  /** @returns whether the log has something new; null when the lease is over, and nothing changed. */
  async end(
    held: HeldMedia,
    { state, text, language, line, reason }: TranscriptEnd,
  ): Promise<boolean | null> {
    const { accountId, id } = held;
    return this.database.transactFor(accountId, async (transaction) => {
      const [message] = await transaction.run(MESSAGE, { accountId, id });
      if (!message) return null;
      const [locked] = await transaction.run(LOCK_THREAD, { accountId, threadId: message.thread_id });
      if (!locked) return null;
      const values = { state, text: text ?? null, language: language ?? null, line: line ?? null };
      const [row] = await transaction.run(END, {
        ...held,
        ...values,
        messageId: message.id,
        reason: reason ?? null,
      });
      return row?.logged ?? null;
    });
  }
}
