import { Injectable } from '@nestjs/common';
import { isUniqueClash, RowBusyError } from '../../database/database.errors';
import { Database } from '../../database/database.service';
import type { AsNumbers } from '../../database/row-types';
import { statement } from '../../database/sql.statements';
import type { EventEntity } from '../../events/event.entity';
import { appendEvents, ENTRIES } from '../../threads/thread-log.statements';
import { threadIdOf } from './address.statements';
import type { ReceivingNumber, ThreadAddress } from './customer-address';
import { LEARN } from './learn-address.statements';

const NAME = statement('customer-name').takes('accountId', 'botId', 'channel', 'contact', 'userId', 'name')
  .returns<AsNumbers<Pick<EventEntity, 'seq'>>>(`
  WITH known AS MATERIALIZED (SELECT ${threadIdOf({
    ...{ account: ':accountId', bot: ':botId', channel: ':channel' },
    ...{ contact: ':contact::text', userId: ':userId::text' },
  })} AS id),
  cur AS MATERIALIZED (
    SELECT id, customer_name FROM threads WHERE account_id = :accountId AND id = (SELECT id FROM known)
        AND erased_at IS NULL FOR NO KEY UPDATE),
  changed AS (
    UPDATE threads t SET customer_name = :name::text, version = t.version + 1
      FROM cur c WHERE t.account_id = :accountId AND t.id = c.id AND c.customer_name IS NULL
    RETURNING t.id, t.assistant_id, t.version),
  timed AS (SELECT changed.*, clock_timestamp() AS at FROM changed),
  logged AS (${appendEvents('timed', { by: `'USER'` }, [ENTRIES.card])})
  SELECT seq::float8 AS seq FROM logged`);

/** Which dialog is told of. */
export type ToldOf =
  | { threadId: string }
  /** By a message of it. */
  | { messageId: string }
  /** By what names its customer: the user id, else the number; `phoneFirst`: the other way round. */
  | { address: Pick<ThreadAddress, 'contact' | 'userId'>; phoneFirst?: boolean };

/** What names the customer, the surest first. */
function addressesOf(of: ToldOf): string[] {
  if (!('address' in of)) return [];
  const { contact, userId } = of.address;
  return (of.phoneFirst ? [contact, userId] : [userId, contact]).filter((address) => address !== null);
}

/** What is told of a dialog's customer. Null: not told. */
export interface ToldAddress {
  /** As `contactOf` writes the number; null where no number is told. */
  contact: string | null;
  phone: string | null;
  userId: string | null;
  waId: string | null;
  username: string | null;
}

/** What a message or a report tells of whoever it names. */
export const toldBy = ({
  contact,
  phone,
  userId,
  waId,
  username,
}: Omit<ThreadAddress, 'name'>): ToldAddress => ({
  ...{ contact: phone === null ? null : contact, phone, userId, waId, username },
});

interface Manner {
  /** What is in the place of the former one. With a number goes the user id that belonged to the former one. */
  moves?: 'number' | 'userId' | null;
  /** The customer shared the phone when asked for it. */
  proven?: boolean;
  /** Identifies a repeated report. */
  mark?: Buffer | null;
}

/** Each try looks anew. It meets another change only where one has just happened. */
const TRIES = 20;

/** What becomes known about a customer besides messages. */
@Injectable()
export class CustomerRepository {
  constructor(private readonly database: Database) {}

  /** Names a customer who has no name yet. @returns whether an event was appended. */
  async name(at: ReceivingNumber, { contact, userId }: ThreadAddress, name: string): Promise<boolean> {
    return (await this.database.run(NAME, { ...at, contact, userId, name })).length > 0;
  }

  /**
   * Teaches a dialog addresses of its customer. Nothing happens where there is no such dialog.
   * @returns whether an event was appended.
   */
  async learn(
    at: ReceivingNumber,
    of: ToldOf,
    told: ToldAddress,
    { moves = null, proven = false, mark = null }: Manner = {},
  ): Promise<boolean> {
    const values = {
      ...{ ...at, mark, moves: moves !== null, movesNumber: moves === 'number', proven, by: 'USER' },
      threadId: 'threadId' in of ? of.threadId : null,
      messageId: 'messageId' in of ? of.messageId : null,
      addresses: addressesOf(of),
      ...{ newContact: told.contact, newPhone: told.phone, newUserId: told.userId },
      ...{ newWaId: told.waId, newUsername: told.username },
    };
    for (let tried = 1; ; tried++) {
      try {
        const [row] = await this.database.run(LEARN, values);
        if (row?.verdict !== 'again') return row?.logged ?? false;
      } catch (error) {
        // Another dialog took the address at this moment.
        if (!isUniqueClash(error)) throw error;
      }
      if (tried === TRIES)
        throw new RowBusyError(new Error('a customer’s addresses change at every try to learn one'));
    }
  }
}
