import type { MessageError, MessageStatus } from '@app/contracts/message.words';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import { LOOK_AT_PARKED, PARK, PARKED, PURGE_PARKED, REPORT, UNPARK } from './delivery-state.statements';
import type { Arrival } from './arrival.time';
import type { ReceivingNumber } from './incoming.repository';

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
}

/** The message that a report was about, with its present state. */
export interface ReportedMessage {
  messageId: string;
  threadId: string;
  /** Of the event; null where the report changed nothing. */
  seq: number | null;
  /** Whether the report contained an id of the message that was not known before. */
  identified: boolean;
  providerId: string | null;
  whatsappId: string | null;
  /** Whatever reports came before. */
  status: MessageStatus;
  batchId: string | null;
}

export interface ParkedReport {
  id: string;
  report: DeliveryReport;
}

interface ParkedRow {
  id: string;
  body: Omit<DeliveryReport, 'at'>;
  at: Date;
}

export interface ParkedAt extends ReceivingNumber {
  providerId: string;
}

/** States that providers report about our messages, including reports that come before the message is known. */
@Injectable()
export class DeliveryStateRepository {
  constructor(private readonly database: Database) {}

  /** @returns null when no message of this number is meant. */
  async apply(at: ReceivingNumber, report: DeliveryReport): Promise<ReportedMessage | null> {
    const { error } = report;
    const [message] = await this.database.run<ReportedMessage>(REPORT, [
      ...[at.accountId, at.botId, at.channel, report.reference, report.providerId, report.whatsappId],
      ...[report.state, report.at, error?.code ?? null, error?.message ?? null, error?.provider_code ?? null],
    ]);
    return message ?? null;
  }

  /** Stores a report until its message is known, under the id by which it will be searched. */
  async park(at: ReceivingNumber, id: string, report: DeliveryReport): Promise<void> {
    const values = [at.accountId, at.botId, at.channel, id, report.state, JSON.stringify(report)];
    await this.database.run(PARK, values);
  }

  async parked(at: ReceivingNumber, ids: readonly string[]): Promise<ParkedReport[]> {
    const values = [at.accountId, at.botId, at.channel, ids];
    const rows = await this.database.run<ParkedRow>(PARKED, values);
    return rows.map(({ id, body, at: reportedAt }) => ({ id, report: { ...body, at: reportedAt } }));
  }

  async unpark(accountId: string, ids: readonly string[]): Promise<void> {
    await this.database.run(UNPARK, [accountId, ids]);
  }

  /**
   * Checks the reports that are due again, of all accounts.
   * @returns how many there were, and those whose message is known by now.
   */
  async lookAtParked(limit: number): Promise<{ looked: number; known: ParkedAt[] }> {
    const rows = await this.database.run<ParkedAt & { known: boolean }>(LOOK_AT_PARKED, [limit]);
    const known = rows
      .filter((row) => row.known)
      .map(({ accountId, botId, channel, providerId }) => ({ accountId, botId, channel, providerId }));
    return { looked: rows.length, known };
  }

  /** Deletes reports that waited for a message for two weeks, of all accounts, up to a number; returns how many. */
  async purgeParked(limit: number): Promise<number> {
    return (await this.database.run(PURGE_PARKED, [limit])).length;
  }
}
