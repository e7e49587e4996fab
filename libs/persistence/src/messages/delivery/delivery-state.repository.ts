import type { MessageError, Pricing, TroubleCode } from '@app/contracts/message.words';
import { Injectable } from '@nestjs/common';
import { CallBatcher } from '../../database/call-batcher';
import { Database, WorkDatabase } from '../../database/database.service';
import type { Arrival } from '../incoming/arrival-time';
import {
  CHECK_PARKED,
  PARK,
  PARKED,
  PURGE_PARKED,
  REPORT,
  REPORT_TOGETHER,
  UNPARK,
  type ReportOutcome,
} from './delivery-state.statements';
import { toldBy } from '../incoming/customer.repository';
import type { ReceivingNumber, ThreadAddress } from '../incoming/incoming.repository';

/** A provider's report about a message of ours. `accepted`: the provider has accepted it, whatever its outcome. */
export interface DeliveryReport {
  state: 'accepted' | 'sent' | 'delivered' | 'read' | 'failed';
  /** Our id of the message. */
  reference: string | null;
  providerId: string | null;
  whatsappId: string | null;
  /** Null: when the report arrived. */
  at: Date | null;
  arrival: Arrival;
  error: MessageError | null;
  /** The failure says that the customer has told the provider to stop. */
  optedOut: boolean;
  /** Whom it names, where it names anybody. One that waited since a former version has none. */
  recipient?: Omit<ThreadAddress, 'name'> | null;
  /** What it names of the price, if anything. One that waited since a former version has none. */
  pricing?: Partial<Pricing> | null;
  /** The failure says what keeps the number from sending until a person has seen to it. */
  trouble?: TroubleCode;
}

/** The message that a report was about, as it is known now. */
export type ReportedMessage = Omit<ReportOutcome, 'n' | 'verdict'>;

/** The message; null when no message of the number is meant; `erased` when it is one of an erased customer. */
export type Reported = ReportedMessage | null | 'erased';

export interface ParkedReport {
  id: string;
  report: DeliveryReport;
}

export interface ParkedAt extends ReceivingNumber {
  providerId: string;
}

interface Told {
  at: ReceivingNumber;
  report: DeliveryReport;
}

/** States that providers report of our messages, those that come before the message is known included. */
@Injectable()
export class DeliveryStateRepository {
  /** One report of a message at a time. */
  private readonly together = new CallBatcher<Told, ReportOutcome>({
    act: async (told) => inOrder(await this.work.run(REPORT_TOGETHER, valuesOf(told))),
    keyOf: ({ at, report }) =>
      `${at.botId} ${at.channel} ${report.providerId ?? report.whatsappId ?? report.reference ?? ''}`,
  });

  constructor(
    private readonly database: Database,
    private readonly work: WorkDatabase,
  ) {}

  /**
   * Reports that come together share one statement and one commit.
   * @returns `held` when somebody holds the message, or its thread: then nothing was done, and {@link apply} waits for it.
   */
  async applyTogether(at: ReceivingNumber, report: DeliveryReport): Promise<Reported | 'held'> {
    for (;;) {
      const outcome = await this.together.call({ at, report });
      if (outcome.verdict === 'held') return 'held';
      if (outcome.verdict !== 'later') return reportedBy(outcome);
    }
  }

  async apply(at: ReceivingNumber, report: DeliveryReport): Promise<Reported> {
    const [outcome] = await this.database.run(REPORT, valuesOf([{ at, report }]));
    return outcome ? reportedBy(outcome) : null;
  }

  /**
   * Stores a report until its message is known, under the id by which it will be searched. Of a webhook that is not held
   * any more nothing is stored: its customer was erased, or another process takes it in.
   */
  async park(at: ReceivingNumber, id: string, report: DeliveryReport): Promise<void> {
    const { state, arrival } = report;
    const { webhook, heldBy } = arrival;
    await this.database.run(PARK, { ...at, id, state, report: JSON.stringify(report), webhook, heldBy });
  }

  async parked(at: ReceivingNumber, ids: readonly string[]): Promise<ParkedReport[]> {
    const rows = await this.database.run(PARKED, { ...at, ids });
    return rows.map(({ id, body, at: reportedAt }) => ({
      id,
      report: { ...(body as unknown as DeliveryReport), at: reportedAt },
    }));
  }

  async unpark(accountId: string, ids: readonly string[]): Promise<void> {
    await this.database.run(UNPARK, { accountId, ids });
  }

  /**
   * Checks the reports that are due again, of all accounts.
   * @returns how many there were, and those whose message is known by now.
   */
  async checkParked(limit: number): Promise<{ checked: number; known: ParkedAt[] }> {
    const rows = await this.work.run(CHECK_PARKED, { limit });
    const known = rows
      .filter((row) => row.known)
      .map(({ accountId, botId, channel, providerId }) => ({ accountId, botId, channel, providerId }));
    return { checked: rows.length, known };
  }

  /** Deletes reports that waited for a message for two weeks, of all accounts, up to a number; returns how many. */
  async purgeParked(limit: number): Promise<number> {
    return (await this.database.run(PURGE_PARKED, { limit })).length;
  }
}

const inOrder = (outcomes: readonly ReportOutcome[]): ReportOutcome[] =>
  outcomes.toSorted((one, other) => one.n - other.n);

function reportedBy({ verdict, ...outcome }: ReportOutcome): Reported {
  if (verdict === 'erased') return verdict;
  return verdict === 'applied' ? outcome : null;
}

/** An entry of each list for each report. */
function valuesOf(told: readonly Told[]) {
  const each = <T>(read: (report: DeliveryReport) => T): T[] => told.map(({ report }) => read(report));
  return {
    accounts: told.map(({ at }) => at.accountId),
    bots: told.map(({ at }) => at.botId),
    channels: told.map(({ at }) => at.channel),
    references: each(({ reference }) => reference),
    providerIds: each(({ providerId }) => providerId),
    whatsappIds: each(({ whatsappId }) => whatsappId),
    states: each(({ state }) => state),
    times: each(({ at }) => at),
    codes: each(({ error }) => error?.code ?? null),
    sentences: each(({ error }) => error?.message ?? null),
    providerCodes: each(({ error }) => error?.provider_code ?? null),
    contacts: each(({ recipient }) => (recipient ? toldBy(recipient).contact : null)),
    userIds: each(({ recipient }) => recipient?.userId ?? null),
    phones: each(({ recipient }) => recipient?.phone ?? null),
    pricings: each(({ pricing }) => (pricing ? JSON.stringify(pricing) : null)),
  };
}
