import { randomUUIDv7 } from 'node:crypto';
import { activeTrace } from '@app/contracts/trace-recorder';
import { Injectable } from '@nestjs/common';
import { CallBatcher } from '../../database/call-batcher';
import { Database, WorkDatabase } from '../../database/database.service';
import { isUniqueClash, RowBusyError } from '../../database/database.errors';
import type { MediaEntity } from '../../media/media.entity';
import type { NotNull } from '../../database/row-types';
import { ENTRIES } from '../../threads/thread-log.statements';
import type { ThreadEntity } from '../../threads/thread.entity';
import type { Arrival } from './arrival-time';
import type { ReceivingNumber, ThreadAddress } from './address.statements';
import { CustomerRepository, toldBy } from './customer.repository';
import { ECHO, STANDBY_ECHO } from './echo.statements';
import { type IncomingOutcome, incomingStatement } from './incoming.statements';
import { GIVEN, type Given, asLast } from './incoming-kind';
import { RECEIVE, RECEIVE_FIRST_TOGETHER, RECEIVE_TOGETHER } from './receive.statements';

/**
 * A message from before the number was connected. It is ordered by its own time and wakes nothing. The thread changes
 * only where the message becomes the last one known, or tells something new of the customer.
 */
const KEEP_PAST = incomingStatement('incoming-past', {
  given: {
    roles: { column: 'given_role', type: 'text' },
    statuses: { column: 'given_status', type: 'text' },
  },
  role: 'b.given_role',
  status: 'b.given_status',
  createdAt: 'b.written_at',
  changes: `b.is_last OR (b.wa_id_now, b.customer_name_now, b.username_now)
             IS DISTINCT FROM (b.wa_id, b.customer_name, b.username)`,
  facts: { is_last: 'NOT b.quiet AND coalesce(b.last_message_at < b.written_at, true)' },
  moves: {
    version: 'b.version + 1',
    ...asLast('b.is_last', 'b.given_role', 'b.written_at'),
    last_activity_at: 'greatest(b.last_activity_at, b.written_at)',
  },
  entries: [{ ...ENTRIES.card, when: 'NOT t.fresh' }],
});

export type { ReceivingNumber, ThreadAddress };

/** The file of a message, as the provider names it. */
export type IncomingFile = Pick<MediaEntity, 'id' | 'kind' | 'mime_type' | 'file_name'> &
  NotNull<Pick<MediaEntity, 'provider_ref'>> & {
    /** Whether it is transcribed, unless its account does not want that. */
    is_transcribed?: boolean;
  };

export interface IncomingMessage {
  address: ThreadAddress;
  providerId: string;
  type: string;
  text: string;
  content: Record<string, unknown>;
  /** What it is, by language, where its text alone does not say it. */
  lines: ThreadEntity['last_message_lines'];
  /** Null: it has none. */
  file: IncomingFile | null;
  /** The writer's own time; null: unknown. */
  sentAt: Date | null;
  arrival: Arrival;
  /** A reaction and its like: kept, but nothing of the thread moves. */
  quiet: boolean;
}

/** A customer's message by a number of ours. */
export interface Received {
  at: ReceivingNumber;
  message: IncomingMessage;
  optRequest: 'stop' | 'start' | null;
  /** Another AI on the number conducts its dialog. */
  standby: boolean;
  /** Before an agent without a quiet time of its own answers; null: there is no model to answer. */
  quietMs: number | null;
}

type Asked = Pick<Received, 'optRequest' | 'standby' | 'quietMs'>;
type Prepared = ReturnType<typeof prepared>;
type Outcome = Pick<IncomingOutcome, 'verdict' | 'logged' | 'overtaken' | 'learner'>;

/** What became of a message that came in. */
export interface TakenMessage {
  /** Whether the log has something new. */
  isLogged: boolean;
  /** Whether it is one of an erased customer, come again: nothing has changed. */
  isErased: boolean;
  /** Whether it is new. */
  isStored: boolean;
  /** Whether an edit or a deletion of it came before it. */
  isOvertaken: boolean;
}

/** Each try looks anew. It meets another opening, or a change, only where one has just happened. */
const TRIES = 10;

/** Messages that come in. Each is kept once, with its effect on the thread, or changes nothing. */
@Injectable()
export class IncomingRepository {
  private readonly together = this.batcherOf(RECEIVE_TOGETHER);
  /** It may wait a moment for whoever opens the same thread, so messages of known threads do not share it. */
  private readonly firstTogether = this.batcherOf(RECEIVE_FIRST_TOGETHER);

  constructor(
    private readonly database: Database,
    private readonly work: WorkDatabase,
    private readonly customers: CustomerRepository,
  ) {}

  /**
   * Customers' messages that come together share one statement and one commit.
   * @returns null when somebody holds the thread, or opens it at this moment, or when the message tells an address that is
   * new to it, or what spreads to other dialogs: then nothing was done, and {@link receive} waits for it.
   */
  async receiveTogether(received: Received): Promise<TakenMessage | null> {
    const { at, message, ...asked } = received;
    try {
      const call = { ...prepared(at, message), ...asked };
      let outcome = await this.together.call(call);
      if (outcome.verdict === 'missing') outcome = await this.firstTogether.call(call);
      return takenBy(outcome);
    } catch (error) {
      if (!isUniqueClash(error) && !(error instanceof RowBusyError)) throw error;
      return null;
    }
  }

  /** A customer's message. */
  async receive({ at, message, optRequest, standby, quietMs }: Received): Promise<TakenMessage> {
    const values = {
      ...listsOf([prepared(at, message)]),
      optRequests: [optRequest],
      standbys: [standby],
      quietMs,
    };
    return this.keep(at, message, () => this.database.run(RECEIVE, values));
  }

  /** A message that a person of ours wrote elsewhere. */
  async echo(at: ReceivingNumber, message: IncomingMessage): Promise<TakenMessage> {
    return this.keep(at, message, () => this.database.run(ECHO, listsOf([prepared(at, message)])));
  }

  /** What another AI on the number wrote. */
  async standbyEcho(at: ReceivingNumber, message: IncomingMessage): Promise<TakenMessage> {
    return this.keep(at, message, () => this.database.run(STANDBY_ECHO, listsOf([prepared(at, message)])));
  }

  /** A message from before the number was connected. */
  async keepPast(
    at: ReceivingNumber,
    message: IncomingMessage,
    role: 'USER' | 'OPERATOR',
    status: 'received' | 'sent' | 'delivered' | 'read' | 'failed',
  ): Promise<TakenMessage> {
    const values = { ...listsOf([prepared(at, message)]), roles: [role], statuses: [status] };
    return this.keep(at, message, () => this.database.run(KEEP_PAST, values));
  }

  /** What is new of the customer is learnt before the message is stored, so it comes to a dialog that knows it. */
  private async keep(
    at: ReceivingNumber,
    { address }: IncomingMessage,
    act: () => Promise<IncomingOutcome[]>,
  ): Promise<TakenMessage> {
    for (let tried = 1; ; tried++) {
      try {
        const [outcome] = await act();
        const taken = outcome && takenBy(outcome);
        if (taken) return taken;
        if (outcome?.learner) await this.customers.learn(at, { threadId: outcome.learner }, toldBy(address));
        if (tried === TRIES)
          throw new RowBusyError(
            new Error('the thread of a message that came in cannot be opened, or changes at every try'),
          );
      } catch (error) {
        if (!isUniqueClash(error) || tried === TRIES) throw error;
      }
    }
  }

  /** One message of a customer at a time: so none meets another of its own thread. */
  private batcherOf(shared: typeof RECEIVE_TOGETHER): CallBatcher<Prepared & Asked, Outcome> {
    return new CallBatcher({
      act: (received) => this.receiveAtOnce(shared, received),
      keyOf: ({ bots, channels, contacts }) => `${bots} ${channels} ${contacts}`,
    });
  }

  private async receiveAtOnce(
    shared: typeof RECEIVE_TOGETHER,
    received: readonly (Prepared & Asked)[],
  ): Promise<Outcome[]> {
    const rows = await this.work.run(shared, {
      ...listsOf(received),
      optRequests: received.map(({ optRequest }) => optRequest),
      standbys: received.map(({ standby }) => standby),
      quietMs: received[0]?.quietMs ?? null,
    });
    const outcomes = received.map((): Outcome => ({
      verdict: 'again',
      logged: false,
      overtaken: false,
      learner: null,
    }));
    for (const { n, ...outcome } of rows) outcomes[n - 1] = outcome;
    return outcomes;
  }
}

/** Null: nothing was done. */
const takenBy = ({ verdict, logged, overtaken }: Outcome): TakenMessage | null =>
  verdict === 'again' || verdict === 'missing'
    ? null
    : {
        ...{ isLogged: logged, isErased: verdict === 'erased' },
        ...{ isStored: verdict === 'stored', isOvertaken: overtaken },
      };

/** The values of one message. They are made before it shares a statement: what cannot be written harms no other. */
const prepared = ({ accountId, botId, channel }: ReceivingNumber, message: IncomingMessage) => ({
  accounts: accountId,
  bots: botId,
  channels: channel,
  contacts: message.address.contact,
  phones: message.address.phone,
  userIds: message.address.userId,
  waIds: message.address.waId,
  names: message.address.name,
  usernames: message.address.username,
  providerIds: message.providerId,
  messageIds: randomUUIDv7(),
  threadIds: randomUUIDv7(),
  types: message.type,
  texts: message.text,
  contents: JSON.stringify(message.content),
  lines: message.lines && JSON.stringify(message.lines),
  files: message.file && JSON.stringify(message.file),
  sentTimes: message.sentAt,
  quiets: message.quiet,
  receivedTimes: message.arrival.receivedAt,
  positions: message.arrival.position,
  webhooks: message.arrival.webhook,
  holders: message.arrival.heldBy,
  traces: activeTrace(),
});

/** An entry of each list for each message. */
const listsOf = (messages: readonly Prepared[]) =>
  Object.fromEntries(GIVEN.map((list) => [list, messages.map((message) => message[list])])) as Record<
    Given,
    unknown[]
  >;
