import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CallBatcher } from '../../database/call-batcher';
import { Database, ReservedDatabase, WorkDatabase } from '../../database/database.service';
import type { CamelCased } from '../../database/row-types';
import { statement } from '../../database/sql.statements';
import { countBacklog, type WorkBacklog, ownersOf, leaseFor, leaseIsFree } from '../../work/work.statements';
import type { ScenarioQueueEntity } from './scenario-run.entity';

/** The runs of one dialog. */
export type RunQueueKey = CamelCased<Pick<ScenarioQueueEntity, 'account_id' | 'thread_id'>>;

/** A dialog whose runs this process serves. */
export interface HeldQueue extends RunQueueKey {
  token: string;
}

/** Between two tries to give a used permit back. */
const PERMIT_AGAIN_MS = 20;

interface Claim extends HeldQueue {
  leaseMs: number;
}

/** Account by account, along the index, and the first of each account first: one with thousands of due dialogs hides no other. */
const DUE = statement('scenario-queues-due').takes('perAccount').returns<RunQueueKey>(`
  WITH RECURSIVE ${ownersOf('scenario_queues')}
  SELECT a.account_id AS "accountId", d.thread_id AS "threadId"
    FROM owners a
    CROSS JOIN LATERAL (
      SELECT q.thread_id, row_number() OVER (ORDER BY q.due_at) AS place FROM scenario_queues q
       WHERE q.account_id = a.account_id AND q.due_at <= now() AND ${leaseIsFree('q')}
       ORDER BY q.due_at LIMIT :perAccount) d
   WHERE a.account_id IS NOT NULL
   ORDER BY d.place LIMIT 5000`);

/** One dialog of a statement for several: which it is, and by which process. */
const ASKED = `
  asked AS MATERIALIZED (
    SELECT * FROM unnest(:accountIds::uuid[], :threadIds::uuid[], :tokens::uuid[]) a (account_id, thread_id, token))`;

/** In the order of their keys, and without those that somebody else has locked: two such statements never wait. */
const lockQueues = (condition: string): string => `
  locked AS MATERIALIZED (
    SELECT q.account_id, q.thread_id FROM scenario_queues q
     WHERE (q.account_id, q.thread_id) IN (SELECT account_id, thread_id FROM asked) AND ${condition}
     ORDER BY q.account_id, q.thread_id FOR NO KEY UPDATE SKIP LOCKED)`;

export const CLAIM = statement('scenario-queues-claim').takes('accountIds', 'threadIds', 'tokens', 'leaseMs')
  .returns<Pick<ScenarioQueueEntity, 'lease_token'>>(`
  WITH ${ASKED},
  ${lockQueues(`q.due_at <= clock_timestamp() AND ${leaseIsFree('q')}`)}
  UPDATE scenario_queues q SET lease_token = a.token, lease_until = ${leaseFor(':leaseMs')}
    FROM locked l JOIN asked a USING (account_id, thread_id)
   WHERE q.account_id = l.account_id AND q.thread_id = l.thread_id
  RETURNING q.lease_token`);

const OF_OURS = 'q.lease_token = ANY (:tokens::uuid[])';

export const PERMITS_USED = statement('scenario-permits-used').takes('accountIds', 'threadIds', 'tokens')
  .returns<Pick<ScenarioQueueEntity, 'lease_token'>>(`
  WITH ${ASKED},
  ${lockQueues(OF_OURS)}
  UPDATE scenario_queues q SET permit_until = NULL
    FROM locked l WHERE q.account_id = l.account_id AND q.thread_id = l.thread_id
  RETURNING q.lease_token`);

/** A row that somebody has locked is not renewed, and ours still. Its lease is longer than several renewals. */
const RENEW = statement('scenario-queues-renew').takes('accountIds', 'threadIds', 'tokens', 'leaseMs')
  .returns<Pick<ScenarioQueueEntity, 'lease_token'>>(`
  WITH ${ASKED},
  ${lockQueues(OF_OURS)},
  renewed AS (
    UPDATE scenario_queues q SET lease_until = ${leaseFor(':leaseMs')}
      FROM locked l WHERE q.account_id = l.account_id AND q.thread_id = l.thread_id)
  SELECT q.lease_token FROM scenario_queues q
   WHERE (q.account_id, q.thread_id) IN (SELECT account_id, thread_id FROM asked) AND ${OF_OURS}`);

const IS_THE_QUEUE = 'q.account_id = :accountId AND q.thread_id = :threadId';
const IS_HELD = `${IS_THE_QUEUE} AND q.lease_token = :token`;

const LEAVE = statement('scenario-queue-leave').takes('accountId', 'threadId', 'token', 'backOffMs').returns(`
  UPDATE scenario_queues q
     SET lease_token = NULL, lease_until = NULL, due_at = greatest(q.due_at, ${leaseFor(':backOffMs')}) WHERE ${IS_HELD}`);

const PERMIT_LIVE = statement('scenario-permit-live').takes('accountId', 'threadId').returns<{
  until: string;
}>(`
  SELECT q.permit_until::text AS until FROM scenario_queues q WHERE ${IS_THE_QUEUE} AND q.permit_until > clock_timestamp()`);

const BACKLOG = statement('scenario-queues-backlog')
  .takes('accountId')
  .returns<WorkBacklog>(
    countBacklog(
      `SELECT q.account_id, q.due_at, NOT ${leaseIsFree('q')} AS held FROM scenario_queues q WHERE q.due_at <= clock_timestamp()`,
      `SELECT account_id FROM scenario_runs WHERE finished_at > now() - interval '1 hour' AND state = 'failed'`,
    ),
  );

/** Which process serves which dialog's runs, and when. */
@Injectable()
export class RunQueueRepository {
  private readonly claims = new CallBatcher<Claim, boolean>({
    act: async (claims) => isAmong(claims, await this.database.run(CLAIM, claimColumnsOf(claims))),
  });
  private readonly renewals = new CallBatcher<Claim, boolean>({
    act: async (claims) => isAmong(claims, await this.database.run(RENEW, claimColumnsOf(claims))),
  });
  private readonly usedPermits = new CallBatcher<HeldQueue, boolean>({
    act: async (held) => isAmong(held, await this.database.run(PERMITS_USED, columnsOf(held))),
  });

  constructor(
    private readonly database: Database,
    private readonly work: WorkDatabase,
    private readonly reserved: ReservedDatabase,
  ) {}

  /** Dialogs that are due and nobody's, the longest due first; so many of each account at most. */
  async due(perAccount: number): Promise<RunQueueKey[]> {
    return this.work.run(DUE, { perAccount });
  }

  /** @returns false when the dialog is not due any more, or another process serves it or does something to it. */
  async claim(held: HeldQueue, leaseMs: number): Promise<boolean> {
    return this.claims.call({ ...held, leaseMs });
  }

  /** @returns false when another process has it by now. */
  async renew(held: HeldQueue, leaseMs: number): Promise<boolean> {
    return this.renewals.call({ ...held, leaseMs });
  }

  /** Gives a dialog back before its work is done. It is due again after the back-off. */
  async leave(held: HeldQueue, backOffMs: number): Promise<void> {
    await this.database.run(LEAVE, { ...held, backOffMs });
  }

  /**
   * The first byte has left, so no caller has to wait for the permit any more. Where somebody has locked the dialog's
   * row, as the very call that waits may have, it is tried once more; else the permit stays until it ends.
   */
  async permitUsed(held: HeldQueue): Promise<void> {
    if (await this.usedPermits.call(held)) return;
    await delay(PERMIT_AGAIN_MS);
    await this.usedPermits.call(held);
  }

  /** The end of the permit for an effect that is between its permit and its first byte, as text; null: there is none. */
  async permitUnderWay(accountId: string, threadId: string): Promise<string | null> {
    const [live] = await this.reserved.run(PERMIT_LIVE, { accountId, threadId });
    return live?.until ?? null;
  }

  async backlog(accountId: string | null): Promise<WorkBacklog | undefined> {
    const [backlog] = await this.work.run(BACKLOG, { accountId });
    return backlog;
  }
}

/** Of each dialog, whether its token is among those of the rows. */
function isAmong(
  held: readonly HeldQueue[],
  rows: readonly Pick<ScenarioQueueEntity, 'lease_token'>[],
): boolean[] {
  const tokens = new Set(rows.map(({ lease_token: token }) => token));
  return held.map(({ token }) => tokens.has(token));
}

const columnsOf = (held: readonly HeldQueue[]) => ({
  accountIds: held.map(({ accountId }) => accountId),
  threadIds: held.map(({ threadId }) => threadId),
  tokens: held.map(({ token }) => token),
});

const claimColumnsOf = (claims: readonly Claim[]) => ({
  ...columnsOf(claims),
  leaseMs: Math.min(...claims.map(({ leaseMs }) => leaseMs)),
});
