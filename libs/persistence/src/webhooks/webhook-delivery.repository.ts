import { activeTrace } from '@app/contracts/trace-recorder';
import { Injectable } from '@nestjs/common';
import { CallBatcher } from '../database/call-batcher';
import { Database, IntakeDatabase } from '../database/database.service';
import type { WorkBacklog } from '../work/work.statements';
import {
  ANY_DUE,
  BACKLOG,
  CLAIM_DUE,
  DONE,
  PURGE_DONE,
  PURGE_MARKS,
  RELEASE,
  RENEW,
  RETRY_LATER,
  STORE,
  STORE_ALONE,
  type ClaimedDelivery,
} from './webhook-delivery.statements';
import type { WebhookProvider } from './webhook-delivery.entity';

export type { ClaimedDelivery };

/** Nobody waits for a delivery to be marked: those that end one after the other are marked together. */
const MARK_EVERY_MS = 100;

/**
 * From one statement that stores webhooks to the next. A webhook that comes alone is stored at once; frequent ones share
 * a statement and its commit. None is acknowledged before the commit.
 */
const STORE_EVERY_MS = 10;
/** Longer bodies share no statement: in an array they are text of twice their length. */
const SHARED_BYTES_MAX = 8_192;

/** A body that comes. */
export interface NewDelivery {
  provider: WebhookProvider;
  /** The bot of the address; null where the body names its number. */
  botId: string | null;
  /** Of those that share a part of each claim. */
  group: string;
  /** The identities of the numbers by whose own app secret it is signed; null: none. */
  signedFor: readonly string[] | null;
  body: Buffer;
}

interface Arrived extends NewDelivery {
  /** By the process's clock. */
  cameAt: number;
  trace: string | null;
}

/** Most deliveries of one claim. */
export interface ClaimLimits {
  count: number;
  /** In bytes. Longer bodies count as large. */
  largest: number;
  /** How many large ones may be among them. */
  large: number;
}

/**
 * Webhooks from their receipt until their bytes are not needed any more. They belong to no account until they are
 * parsed.
 */
@Injectable()
export class WebhookDeliveryRepository {
  private readonly marks = new CallBatcher<{ id: string; leaseToken: string }, boolean>({
    act: (marks) => this.markDone(marks),
    spacingMs: MARK_EVERY_MS,
  });

  private readonly stores = new CallBatcher<Arrived, boolean>({
    act: (arrived) => this.storeAll(arrived),
    spacingMs: STORE_EVERY_MS,
  });

  constructor(
    private readonly database: Database,
    private readonly intake: IntakeDatabase,
  ) {}

  /**
   * Stores a body, durably when this resolves.
   * @returns whether there is such a bot
   */
  async store(delivery: NewDelivery): Promise<boolean> {
    const { body, provider, botId, group, signedFor } = delivery;
    const trace = activeTrace();
    if (body.length <= SHARED_BYTES_MAX) {
      return this.stores.call({ ...delivery, cameAt: performance.now(), trace });
    }
    const values = { provider, botId, group, signers: signersOf(signedFor), body, trace };
    return (await this.intake.run(STORE_ALONE, values)).length > 0;
  }

  /**
   * Claims what is due and not leased, for the given number of seconds: an equal share of each group, the oldest first.
   */
  async claimDue(leaseToken: string, leaseSeconds: number, limits: ClaimLimits): Promise<ClaimedDelivery[]> {
    const { count: limit, largest, large: largeLimit } = limits;
    return this.intake.run(CLAIM_DUE, { leaseToken, leaseSeconds, limit, largest, largeLimit });
  }

  /** Whether something is due and not leased. */
  async isAnyDue(): Promise<boolean> {
    return (await this.intake.run(ANY_DUE)).length > 0;
  }

  async backlog(accountId: string | null): Promise<WorkBacklog | undefined> {
    return (await this.database.run(BACKLOG, { accountId }))[0];
  }

  /** Renews leases by some seconds. @returns the deliveries whose lease is still held. */
  async renew(ids: readonly string[], leaseToken: string, leaseSeconds: number): Promise<Set<string>> {
    const rows = await this.intake.run(RENEW, { ids, leaseToken, leaseSeconds });
    return new Set(rows.map(({ id }) => id));
  }

  /** Releases an unfinished delivery, which is due at once; false when the lease was lost. */
  async release(id: string, leaseToken: string): Promise<boolean> {
    return (await this.database.run(RELEASE, { id, leaseToken })).length > 0;
  }

  /** Marks a delivery as done; false when the lease was lost. */
  async done(id: string, leaseToken: string): Promise<boolean> {
    return this.marks.call({ id, leaseToken });
  }

  /** Releases a delivery, due again after a growing wait; false when the lease was lost. */
  async retryLater(id: string, leaseToken: string): Promise<boolean> {
    return (await this.database.run(RETRY_LATER, { id, leaseToken })).length > 0;
  }

  /**
   * Deletes marks of reports that cannot come again, of all accounts, up to a number; returns how many. The statement that
   * applies a report writes its mark.
   */
  async purgeMarks(limit: number): Promise<number> {
    return (await this.database.run(PURGE_MARKS, { limit })).length;
  }

  /**
   * Deletes handled webhooks that came more than seven days ago, up to a number; returns how many. Those with rejects stay
   * as long as these, which may be taken in again.
   */
  async purgeDone(limit: number): Promise<number> {
    return (await this.database.run(PURGE_DONE, { limit })).length;
  }

  private async storeAll(arrived: readonly Arrived[]): Promise<boolean[]> {
    const now = performance.now();
    const rows = await this.intake.run(STORE, {
      providers: arrived.map(({ provider }) => provider),
      botIds: arrived.map(({ botId }) => botId),
      groups: arrived.map(({ group }) => group),
      signers: arrived.map(({ signedFor }) => signersOf(signedFor)),
      bodies: arrived.map(({ body }) => body),
      ages: arrived.map(({ cameAt }) => now - cameAt),
      traces: arrived.map(({ trace }) => trace),
    });
    return rows.map(({ stored }) => stored);
  }

  private async markDone(marks: readonly { id: string; leaseToken: string }[]): Promise<boolean[]> {
    const ids = marks.map(({ id }) => id);
    const leaseTokens = marks.map(({ leaseToken }) => leaseToken);
    const marked = new Set((await this.intake.run(DONE, { ids, leaseTokens })).map(({ id }) => id));
    return ids.map((id) => marked.has(id));
  }
}

/** As one text: an array of arrays would need all of one length. */
const signersOf = (signedFor: readonly string[] | null): string | null => signedFor && signedFor.join(' ');
