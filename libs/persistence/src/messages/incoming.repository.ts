import { randomUUIDv7 } from 'node:crypto';
import type { Channel } from '@app/contracts/message.words';
import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';
import { isUniqueClash } from '../database/unique.clash';
import type { Arrival } from './arrival.time';
import { ECHO, KEEP_PAST, RECEIVE } from './incoming.statements';

/** The number at which something arrived. */
export interface ReceivingNumber {
  accountId: string;
  botId: string;
  channel: Channel;
}

/** The customer of a message, as a dialog keeps and finds one. */
export interface ThreadAddress {
  /** By which the dialog is found. */
  contact: string;
  phone: string | null;
  userId: string | null;
  waId: string | null;
  name: string | null;
}

export interface IncomingMessage {
  address: ThreadAddress;
  providerId: string;
  type: string;
  text: string;
  content: Record<string, unknown>;
  /** The writer's own time; null: unknown. */
  sentAt: Date | null;
  arrival: Arrival;
  /** A reaction and its like: kept, but nothing of the dialog moves. */
  quiet: boolean;
}

interface IncomingOutcome {
  verdict: 'stored' | 'known' | 'again';
  seq: number | null;
}

/** Each try looks anew, and meets another opening only where one has just happened. */
const TRIES = 10;

/** Messages that come in. Each is kept once, with its effect on the dialog, or changes nothing. */
@Injectable()
export class IncomingRepository {
  constructor(private readonly database: Database) {}

  /**
   * A customer's message.
   * @param quietMs before an agent without a quiet time of its own answers; null: there is no model to answer.
   * @returns whether the log has something new.
   */
  async receive(
    at: ReceivingNumber,
    message: IncomingMessage,
    optRequest: 'stop' | 'start' | null,
    quietMs: number | null,
  ): Promise<boolean> {
    return this.keep(RECEIVE, at, message, optRequest, quietMs);
  }

  /** A message that a person of ours wrote elsewhere. @returns whether the log has something new. */
  async echo(at: ReceivingNumber, message: IncomingMessage): Promise<boolean> {
    return this.keep(ECHO, at, message);
  }

  /** A message from before the number was connected. @returns whether the log has something new. */
  async keepPast(
    at: ReceivingNumber,
    message: IncomingMessage,
    role: 'USER' | 'OPERATOR',
    status: 'received' | 'sent' | 'delivered' | 'read' | 'failed',
  ): Promise<boolean> {
    return this.keep(KEEP_PAST, at, message, role, status);
  }

  private async keep(
    statement: PreparedStatement,
    at: ReceivingNumber,
    message: IncomingMessage,
    ...further: unknown[]
  ): Promise<boolean> {
    const { address } = message;
    const values = [
      ...[at.accountId, at.botId, at.channel],
      ...[address.contact, address.phone, address.userId, address.waId, address.name],
      ...[message.providerId, randomUUIDv7(), randomUUIDv7(), message.type, message.text],
      ...[JSON.stringify(message.content), message.sentAt, message.quiet],
      ...[message.arrival.receivedAt, message.arrival.position, ...further],
    ];
    for (let tried = 1; ; tried++) {
      try {
        const [outcome] = await this.database.run<IncomingOutcome>(statement, values);
        if (outcome && outcome.verdict !== 'again') return outcome.seq !== null;
        if (tried === TRIES) throw new Error('the dialog of a message that came in cannot be opened');
      } catch (error) {
        if (!isUniqueClash(error) || tried === TRIES) throw error;
      }
    }
  }
}
