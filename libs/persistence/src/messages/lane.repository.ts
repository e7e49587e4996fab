import type { Channel } from '@app/contracts/message.words';
import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';

/** The queue of one number: what a bot has to send by one channel. */
export interface Lane {
  accountId: string;
  botId: string;
  channel: Channel;
}

export interface ClaimedMessage {
  id: string;
  thread_id: string;
  batch_id: string | null;
  recipient: string;
  content: Record<string, unknown>;
  /** This one included. */
  attempts: number;
  /** How long it has been waiting for a time to go out, in milliseconds. */
  waited_ms: number;
  /** The latest of the times at which it, and those claimed with it, were due: where the queue goes on behind them. */
  up_to: string;
}

/** A claimed message that goes back into the queue: no byte of it left. */
export interface PutBack {
  id: string;
  /** How long it has to wait for its recipient, in milliseconds; 0: it is due as before. */
  waitMs: number;
}

/** A lane as it is when it is taken. */
export interface TakenLane {
  /** How long its number is paused, in milliseconds; 0: it is not. */
  pausedMs: number;
  /** Of the number's connection: another one when anything of it has changed. */
  revision: number;
}

/** By which a process claims in a lane. */
export interface Lease {
  token: string;
  revision: number;
}

const LEASE = `interval '10 s'`;

/** A lane is one process's at a time; a lease that ran out is anybody's. $1 account $2 bot $3 channel $4 token */
const TAKE: PreparedStatement = {
  name: 'lane-take',
  text: `
  UPDATE bot_channels SET lease_token = $4, lease_until = clock_timestamp() + ${LEASE}
   WHERE account_id = $1 AND bot_id = $2 AND channel = $3
     AND (lease_until IS NULL OR lease_until < clock_timestamp() OR lease_token = $4)
  RETURNING coalesce(greatest(0, extract(epoch FROM paused_until - clock_timestamp()) * 1000), 0)::float8 AS "pausedMs", revision`,
};

const LEAVE: PreparedStatement = {
  name: 'lane-leave',
  text: `
  UPDATE bot_channels SET lease_token = NULL, lease_until = NULL
   WHERE account_id = $1 AND bot_id = $2 AND channel = $3 AND lease_token = $4`,
};

/**
 * Claims the oldest due messages of a lane for whoever has it, unless its number is paused, or its connection is not the
 * one any more that they would go out by. `sending` with a token and
 * a deadline is a permission to make one request. The state is compared with the one found, not with the word: by the
 * word the planner finds each message by the index of queued ones, which it then reads from end to end for every single
 * message.
 * $1 account $2 bot $3 channel $4 how many $5 token $6 the claim's milliseconds $7 the lease's token
 * $8 the connection's revision $9 null, or the time behind which the queue is looked at: the index keeps what was claimed a
 * moment ago for as long as some transaction could see it there, and whoever begins at the oldest wades through all of it
 * (a fifth of PostgreSQL's work for a list, and more with each)
 */
const CLAIM: PreparedStatement = {
  name: 'lane-claim',
  text: `
  WITH due AS MATERIALIZED (
    SELECT account_id, id, status, due_at FROM messages
     WHERE account_id = $1 AND bot_id = $2 AND channel = $3 AND status = 'queued' AND due_at <= clock_timestamp()
       AND due_at >= coalesce($9::timestamptz, '-infinity')
       AND EXISTS (SELECT 1 FROM bot_channels b WHERE b.account_id = $1 AND b.bot_id = $2 AND b.channel = $3
                      AND b.lease_token = $7 AND b.lease_until > clock_timestamp() AND b.revision = $8
                      AND coalesce(b.paused_until < clock_timestamp(), true))
     ORDER BY due_at, id LIMIT $4 FOR UPDATE SKIP LOCKED)
  UPDATE messages m
     SET status = 'sending', attempts = m.attempts + 1, claim_token = $5,
         claim_until = clock_timestamp() + make_interval(secs => $6::float8 / 1000)
    FROM due WHERE m.account_id = due.account_id AND m.id = due.id AND m.status = due.status
  RETURNING m.id, m.thread_id, m.batch_id, m.recipient, m.content, m.attempts,
            (extract(epoch FROM clock_timestamp() - m.created_at) * 1000)::float8 AS waited_ms,
            (SELECT max(due_at)::text FROM due) AS up_to`,
};

/**
 * Of messages claimed and certainly not begun; one that has to wait for its recipient is due when it may go.
 * $1 account $2 ids $3 token $4 for each the milliseconds to wait, 0: due as it was
 */
const UNCLAIM: PreparedStatement = {
  name: 'lane-unclaim',
  text: `
  WITH given AS MATERIALIZED (SELECT * FROM unnest($2::uuid[], $4::float8[]) AS g (id, wait_ms)),
  back AS MATERIALIZED (
    SELECT id, status FROM messages
     WHERE account_id = $1 AND id = ANY ($2::uuid[]) AND claim_token = $3 AND status = 'sending'
     ORDER BY id FOR NO KEY UPDATE)
  UPDATE messages m
     SET status = 'queued', attempts = m.attempts - 1, claim_token = NULL, claim_until = NULL,
         due_at = CASE WHEN given.wait_ms > 0
                       THEN clock_timestamp() + make_interval(secs => given.wait_ms / 1000) ELSE m.due_at END
    FROM back JOIN given ON given.id = back.id
   WHERE m.account_id = $1 AND m.id = back.id AND m.status = back.status`,
};

/**
 * Of a claim whose answer never came: nobody knows of these messages. They are found among all that is under way,
 * which is little. $1 account $2 bot $3 channel $4 token
 */
const UNCLAIM_ALL: PreparedStatement = {
  name: 'lane-unclaim-all',
  text: `
  WITH back AS MATERIALIZED (
    SELECT id, status FROM messages
     WHERE account_id = $1 AND bot_id = $2 AND channel = $3 AND claim_token = $4 AND status = 'sending'
     ORDER BY id FOR NO KEY UPDATE)
  UPDATE messages m SET status = 'queued', attempts = m.attempts - 1, claim_token = NULL, claim_until = NULL
    FROM back WHERE m.account_id = $1 AND m.id = back.id AND m.status = back.status
  RETURNING 1 AS back`,
};

/** $1 account $2 bot $3 channel $4 milliseconds */
const PAUSE: PreparedStatement = {
  name: 'lane-pause',
  text: `
  UPDATE bot_channels
     SET paused_until = greatest(paused_until, clock_timestamp() + make_interval(secs => $4::float8 / 1000))
   WHERE account_id = $1 AND bot_id = $2 AND channel = $3`,
};

/** $1 account $2 bot $3 channel */
const PAUSED: PreparedStatement = {
  name: 'lane-paused',
  text: `
  SELECT extract(epoch FROM paused_until - clock_timestamp())::float8 * 1000 AS "pausedMs" FROM bot_channels
   WHERE account_id = $1 AND bot_id = $2 AND channel = $3 AND paused_until > clock_timestamp()`,
};

/** $1 account $2 bot $3 channel */
const HAS_DUE: PreparedStatement = {
  name: 'lane-has-due',
  text: `
  SELECT EXISTS (SELECT 1 FROM messages WHERE account_id = $1 AND bot_id = $2 AND channel = $3
                    AND status = 'queued' AND due_at <= clock_timestamp()) AS due`,
};

/** Numbers with something due that nobody works on, of all accounts. */
const IDLE: PreparedStatement = {
  name: 'lane-idle',
  text: `
  SELECT b.account_id AS "accountId", b.bot_id AS "botId", b.channel FROM bot_channels b
   WHERE (b.lease_until IS NULL OR b.lease_until < clock_timestamp())
     AND (b.paused_until IS NULL OR b.paused_until < clock_timestamp())
     AND EXISTS (SELECT 1 FROM messages m WHERE m.account_id = b.account_id AND m.bot_id = b.bot_id
                    AND m.channel = b.channel AND m.status = 'queued' AND m.due_at <= clock_timestamp())`,
};

/** Work of the service itself, so none of an account's places are taken for it. */
@Injectable()
export class LaneRepository {
  constructor(private readonly database: Database) {}

  /** Takes a lane or keeps it. @returns null when another process has it. */
  async take(lane: Lane, token: string): Promise<TakenLane | null> {
    const [row] = await this.database.run<TakenLane>(TAKE, [...keyOf(lane), token]);
    return row ?? null;
  }

  async leave(lane: Lane, token: string): Promise<void> {
    await this.database.run(LEAVE, [...keyOf(lane), token]);
  }

  /**
   * @param from an `up_to`: what was due before it is left out
   * @returns nothing when the lane is not held by that lease any more, or the connection has changed.
   */
  async claim(
    lane: Lane,
    lease: Lease,
    most: number,
    token: string,
    claimMs: number,
    from: string | null,
  ): Promise<ClaimedMessage[]> {
    const values = [...keyOf(lane), most, token, claimMs, lease.token, lease.revision, from];
    return this.database.run<ClaimedMessage>(CLAIM, values);
  }

  /** Puts messages back into the queue that were claimed by this token and not begun. */
  async unclaim(accountId: string, messages: readonly PutBack[], token: string): Promise<void> {
    const ids = messages.map(({ id }) => id);
    const waits = messages.map(({ waitMs }) => waitMs);
    await this.database.run(UNCLAIM, [accountId, ids, token, waits]);
  }

  /** The same for all that a claim took, when nobody learned what that was. @returns how many. */
  async unclaimAll(lane: Lane, token: string): Promise<number> {
    return (await this.database.run(UNCLAIM_ALL, [...keyOf(lane), token])).length;
  }

  async pause(lane: Lane, milliseconds: number): Promise<void> {
    await this.database.run(PAUSE, [...keyOf(lane), milliseconds]);
  }

  /** For how many milliseconds yet a number rests; 0 when it does not. */
  async pausedMs(lane: Lane): Promise<number> {
    const [row] = await this.database.run<{ pausedMs: number }>(PAUSED, keyOf(lane));
    return row?.pausedMs ?? 0;
  }

  /** Whether something waits that could be claimed now. */
  async hasDue(lane: Lane): Promise<boolean> {
    const [row] = await this.database.run<{ due: boolean }>(HAS_DUE, keyOf(lane));
    return row?.due ?? false;
  }

  async idle(): Promise<Lane[]> {
    return this.database.run<Lane>(IDLE);
  }
}

const keyOf = ({ accountId, botId, channel }: Lane): string[] => [accountId, botId, channel];
