import { Injectable } from '@nestjs/common';
import type { BotChannelEntity } from '../../bots/bot.entity';
import type { AsText, CamelCased, NotNull } from '../../database/row-types';
import { statement } from '../../database/sql.statements';
import {
  countBacklog,
  type WorkBacklog,
  leaseFor,
  leaseIsFree,
  IS_NOT_HELD,
} from '../../work/work.statements';
import { PERMITTED_BY, type PermitRow, Heartbeat } from '../../work/heartbeat';
import type { MessageEntity } from '../dialog/message.entity';
import { Database, WorkDatabase } from '../../database/database.service';

/** The queue of one number: what a bot has to send by one channel. */
export type SendQueueKey = CamelCased<Pick<BotChannelEntity, 'account_id' | 'bot_id' | 'channel'>>;

/** A message that is due and not claimed. */
export type DueMessage = Pick<MessageEntity, 'id' | 'batch_id' | 'content'> &
  NotNull<Pick<MessageEntity, 'recipient'> & AsText<Pick<MessageEntity, 'due_at'>>>;

/** A claimed message: its one request may begin. It is among its `attempts`. */
export interface Claimed extends Pick<MessageEntity, 'id' | 'attempts' | 'trace'> {
  /** How long it has been waiting to be sent, in milliseconds. */
  waited_ms: number;
}

/** A queue when its lease is taken. `revision` differs after any change of the number's connection. */
interface TakenQueue extends Pick<BotChannelEntity, 'revision'> {
  /** How long its number is paused, in milliseconds; 0: it is not. */
  pausedMs: number;
}

/** A number of a bot, `b`. Its row holds the lease of its queue. */
const IS_THE_QUEUE = 'b.account_id = :accountId AND b.bot_id = :botId AND b.channel = :channel';
const IS_IN_THE_QUEUE = 'account_id = :accountId AND bot_id = :botId AND channel = :channel';

/** One process holds a queue at a time. A lease that ran out may be taken. None is taken, or kept, while sending is held. */
export const TAKE = statement('send-queue-take').takes('accountId', 'botId', 'channel', 'token', 'leaseMs')
  .returns<TakenQueue>(`
  UPDATE bot_channels b SET lease_token = :token, lease_until = ${leaseFor(':leaseMs')}
   WHERE ${IS_THE_QUEUE} AND (${leaseIsFree('b')} OR b.lease_token = :token) AND ${IS_NOT_HELD}
  RETURNING coalesce(greatest(0, extract(epoch FROM paused_until - clock_timestamp()) * 1000), 0)::float8 AS "pausedMs", revision`);

const LEAVE = statement('send-queue-leave').takes('accountId', 'botId', 'channel', 'token').returns(`
  UPDATE bot_channels b SET lease_token = NULL, lease_until = NULL
   WHERE ${IS_THE_QUEUE} AND b.lease_token = :token`);

/**
 * What is due, the oldest first. It begins after what was read last. The index keeps claimed rows as long as some
 * transaction could see them, and a scan from the oldest would pass all of these (a fifth of PostgreSQL's work for a
 * list). `now()` is the statement's time and, unlike the clock, lets the index end the search.
 */
const LOOK_AHEAD = statement('send-queue-look-ahead').takes('accountId', 'botId', 'channel', 'most', 'from')
  .returns<DueMessage>(`
  SELECT id, batch_id, recipient, content, due_at::text AS due_at FROM messages
   WHERE ${IS_IN_THE_QUEUE} AND status = 'queued' AND due_at <= now()
     AND due_at >= coalesce(:from::timestamptz, '-infinity')
   ORDER BY due_at, id LIMIT :most`);

/**
 * Claims messages for the process that holds the queue's lease, unless their number is paused, its connection is not
 * the one that the process would use, or sending is held. `sending` with a token and a deadline permits one request. The state is
 * checked in a separate step. Otherwise the planner would use the index of queued messages and read all of it for
 * every single message.
 */
const CLAIM = statement('send-queue-claim').takes(
  'accountId',
  'botId',
  'channel',
  'leaseToken',
  'revision',
  'ids',
  'token',
  'claimMs',
).returns<Claimed & PermitRow>(`
  WITH held AS MATERIALIZED (
    SELECT 1 FROM bot_channels b
     WHERE ${IS_THE_QUEUE} AND b.lease_token = :leaseToken AND b.lease_until > clock_timestamp()
       AND b.revision = :revision AND coalesce(b.paused_until < clock_timestamp(), true) AND ${IS_NOT_HELD}),
  found AS MATERIALIZED (
    SELECT id, status, due_at, created_at, clock_timestamp() AS at FROM messages
     WHERE account_id = :accountId AND id = ANY (:ids::uuid[]) AND EXISTS (SELECT 1 FROM held)
     ORDER BY id FOR NO KEY UPDATE SKIP LOCKED),
  due AS MATERIALIZED (SELECT * FROM found WHERE status = 'queued' AND due_at <= at)
  UPDATE messages m
     SET status = 'sending', attempts = m.attempts + 1, claim_token = :token,
         claim_until = due.at + make_interval(secs => :claimMs::float8 / 1000)
    FROM due WHERE m.account_id = :accountId AND m.id = due.id AND m.status = due.status
  RETURNING m.id, m.attempts, m.trace, (extract(epoch FROM due.at - due.created_at) * 1000)::float8 AS waited_ms,
            ${PERMITTED_BY}`);

/** For each message the milliseconds until it may be sent. A claimed message is left unchanged. */
const POSTPONE = statement('send-queue-postpone').takes('accountId', 'ids', 'waits').returns(`
  WITH given AS MATERIALIZED (SELECT * FROM unnest(:ids::uuid[], :waits::float8[]) AS g (id, wait_ms)),
  found AS MATERIALIZED (
    SELECT id, status, clock_timestamp() AS at FROM messages
     WHERE account_id = :accountId AND id = ANY (:ids::uuid[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED),
  waiting AS MATERIALIZED (SELECT f.id, f.status, f.at, g.wait_ms FROM found f JOIN given g ON g.id = f.id
                            WHERE f.status = 'queued')
  UPDATE messages m SET due_at = w.at + make_interval(secs => w.wait_ms / 1000)
    FROM waiting w WHERE m.account_id = :accountId AND m.id = w.id AND m.status = w.status`);

/** Returns messages under a condition to the queue: claimed by a token, and certainly not begun. */
const putBack = (which: string): string => `
  WITH back AS MATERIALIZED (
    SELECT id, status FROM messages
     WHERE ${which} AND claim_token = :token AND status = 'sending' ORDER BY id FOR NO KEY UPDATE)
  UPDATE messages m SET status = 'queued', attempts = m.attempts - 1, claim_token = NULL, claim_until = NULL
    FROM back WHERE m.account_id = :accountId AND m.id = back.id AND m.status = back.status
  RETURNING 1 AS back`;

const PUT_BACK = statement('send-queue-put-back')
  .takes('accountId', 'ids', 'token')
  .returns(putBack('account_id = :accountId AND id = ANY (:ids::uuid[])'));

/** For a claim whose answer never came. Its messages are searched among all that are being sent, which are few. */
const PUT_BACK_ALL = statement('send-queue-put-back-all')
  .takes('accountId', 'botId', 'channel', 'token')
  .returns(putBack(IS_IN_THE_QUEUE));

const PAUSE = statement('send-queue-pause').takes('accountId', 'botId', 'channel', 'milliseconds').returns(`
  UPDATE bot_channels b
     SET paused_until = greatest(paused_until, clock_timestamp() + make_interval(secs => :milliseconds::float8 / 1000))
   WHERE ${IS_THE_QUEUE}`);

const PAUSED = statement('send-queue-paused').takes('accountId', 'botId', 'channel').returns<
  Pick<TakenQueue, 'pausedMs'>
>(`
  SELECT extract(epoch FROM paused_until - clock_timestamp())::float8 * 1000 AS "pausedMs" FROM bot_channels b
   WHERE ${IS_THE_QUEUE} AND paused_until > clock_timestamp()`);

/** By `now()`, as in {@link LOOK_AHEAD}. */
const HAS_DUE = statement('send-queue-has-due').takes('accountId', 'botId', 'channel').returns<{
  due: boolean;
}>(`
  SELECT EXISTS (SELECT 1 FROM messages WHERE ${IS_IN_THE_QUEUE}
                    AND status = 'queued' AND due_at <= now()) AS due`);

/**
 * Numbers with something due and no lease, of all accounts. `now()` lets the index end the search: by the clock, each
 * look would read all messages that are to be sent later.
 */
const IDLE = statement('send-queues-idle').returns<SendQueueKey>(`
  SELECT b.account_id AS "accountId", b.bot_id AS "botId", b.channel FROM bot_channels b
   WHERE ${leaseIsFree('b')} AND (b.paused_until IS NULL OR b.paused_until < clock_timestamp())
     AND EXISTS (SELECT 1 FROM messages m WHERE m.account_id = b.account_id AND m.bot_id = b.bot_id
                    AND m.channel = b.channel AND m.status = 'queued' AND m.due_at <= now())`);

/** Messages, of all numbers. */
const BACKLOG = statement('send-queues-backlog')
  .takes('accountId')
  .returns<WorkBacklog>(
    countBacklog(
      `SELECT account_id, due_at, false AS held FROM messages WHERE status = 'queued' AND due_at <= clock_timestamp()
     UNION ALL SELECT account_id, due_at, true FROM messages WHERE status = 'sending'`,
      `SELECT account_id FROM messages WHERE failed_at > now() - interval '1 hour' AND status = 'failed'`,
    ),
  );

/** How long a message must wait for its recipient, in milliseconds. */
export interface Postponed {
  id: string;
  waitMs: number;
}

/** The lease by which a process claims messages of a queue. */
export interface Lease {
  token: string;
  revision: number;
}

/** Work of the service itself, so it takes none of an account's slots. */
@Injectable()
export class SendQueueRepository {
  constructor(
    private readonly database: Database,
    private readonly work: WorkDatabase,
    private readonly heartbeat: Heartbeat,
  ) {}

  /** Takes a queue or keeps it. @returns null when another process has it, or sending is held. */
  async take(queue: SendQueueKey, token: string, leaseMs: number): Promise<TakenQueue | null> {
    const [row] = await this.database.run(TAKE, { ...keyOf(queue), token, leaseMs });
    return row ?? null;
  }

  async leave(queue: SendQueueKey, token: string): Promise<void> {
    await this.database.run(LEAVE, { ...keyOf(queue), token });
  }

  /**
   * Reads what is due, the oldest first, without claiming it.
   * @param from a `due_at`: leaves out what was due before; null: nothing is left out
   */
  async lookAhead(queue: SendQueueKey, most: number, from: string | null): Promise<DueMessage[]> {
    return this.database.run(LOOK_AHEAD, { ...keyOf(queue), most, from });
  }

  /**
   * Claims a group of messages just before their requests.
   * @returns those that were still due; none when the lease was lost, the number is paused, the connection has changed,
   * or sending is held.
   */
  async claim(
    queue: SendQueueKey,
    { token: leaseToken, revision }: Lease,
    ids: readonly string[],
    token: string,
    claimMs: number,
  ): Promise<Claimed[]> {
    const values = { ...keyOf(queue), leaseToken, revision, ids, token, claimMs };
    const claimed = await this.database.run(CLAIM, values);
    this.heartbeat.permitted(claimed);
    return claimed;
  }

  /** Lets queued messages wait for their recipients. */
  async postpone(accountId: string, messages: readonly Postponed[]): Promise<void> {
    const ids = messages.map(({ id }) => id);
    await this.database.run(POSTPONE, { accountId, ids, waits: messages.map(({ waitMs }) => waitMs) });
  }

  /** Returns messages to the queue that were claimed by this token and not begun. */
  async putBack(accountId: string, ids: readonly string[], token: string): Promise<void> {
    await this.database.run(PUT_BACK, { accountId, ids, token });
  }

  /** The same for everything that a claim took, when its answer was lost. @returns how many. */
  async putBackAll(queue: SendQueueKey, token: string): Promise<number> {
    return (await this.database.run(PUT_BACK_ALL, { ...keyOf(queue), token })).length;
  }

  async pause(queue: SendQueueKey, milliseconds: number): Promise<void> {
    await this.database.run(PAUSE, { ...keyOf(queue), milliseconds });
  }

  /** For how many more milliseconds a number is paused; 0 when it is not. */
  async pausedMs(queue: SendQueueKey): Promise<number> {
    const [row] = await this.database.run(PAUSED, keyOf(queue));
    return row?.pausedMs ?? 0;
  }

  /** Whether something waits that could be claimed now. */
  async hasDue(queue: SendQueueKey): Promise<boolean> {
    const [row] = await this.database.run(HAS_DUE, keyOf(queue));
    return row?.due ?? false;
  }

  async backlog(accountId: string | null): Promise<WorkBacklog | undefined> {
    return (await this.database.run(BACKLOG, { accountId }))[0];
  }

  async idle(): Promise<SendQueueKey[]> {
    return this.work.run(IDLE);
  }
}

/** Keeps only the fields of the key. */
const keyOf = ({ accountId, botId, channel }: SendQueueKey): SendQueueKey => ({ accountId, botId, channel });
