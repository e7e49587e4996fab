import type { Channel } from '@app/contracts/message.words';
import { FOLDED } from '@app/contracts/values/phone.words';
import type { ThreadEntity } from '../../threads/thread.entity';

/** The number at which something arrived. */
export interface ReceivingNumber {
  accountId: string;
  botId: string;
  channel: Channel;
}

/** The customer of a message, as a thread keeps and finds one. */
export interface ThreadAddress {
  /** By which the thread is found. */
  contact: ThreadEntity['contact'];
  phone: ThreadEntity['phone'];
  userId: ThreadEntity['user_id'];
  waId: ThreadEntity['wa_id'];
  name: ThreadEntity['customer_name'];
  username: ThreadEntity['username'];
}

/** As `contactOf`, of an expression. @param phone with its plus */
export const contactIn = (phone: string): string =>
  FOLDED.reduce(
    (number, [form, folded]) =>
      `regexp_replace(${number}, '${form.source}', '${folded.replaceAll('$', '\\')}')`,
    phone,
  );

/** Whose number, and which customer, as expressions. */
export interface AddressColumns {
  account: string;
  bot: string;
  channel: string;
  /** The number, or else the user id, by which a dialog may be found. */
  contact: string;
  userId: string;
}

type NumberOfOurs = Omit<AddressColumns, 'contact' | 'userId'>;

/** The dialog that has an address. */
const holderOf = ({ account, bot, channel }: NumberOfOurs, address: string): string =>
  `(SELECT k.thread_id FROM thread_addresses k
     WHERE k.account_id = ${account} AND k.address = ${address} AND k.bot_id = ${bot} AND k.channel = ${channel})`;

/** Dialogs of a former version have no rows of addresses. */
const columnHolderOf = (
  { account, bot, channel }: NumberOfOurs,
  column: 'contact' | 'user_id',
  address: string,
): string =>
  `(SELECT k.id FROM threads k
     WHERE k.account_id = ${account} AND k.bot_id = ${bot} AND k.channel = ${channel} AND k.${column} = ${address})`;

/** The id of the dialog to which one address leads, as an expression; null where there is none. */
export const holderOfAddress = (of: NumberOfOurs, address: string): string =>
  `coalesce(${holderOf(of, address)}, ${columnHolderOf(of, 'contact', address)}, ${columnHolderOf(of, 'user_id', address)})`;

/** The id of a customer's dialog as an expression: by the user id, else by the number; null where there is none. */
export const threadIdOf = ({ contact, userId, ...of }: AddressColumns): string => `coalesce(
             ${holderOf(of, userId)}, ${columnHolderOf(of, 'user_id', userId)},
             ${holderOf(of, contact)}, ${columnHolderOf(of, 'contact', contact)})`;

/** The number of a thread's row. */
export const numberOfThread = (row: string): NumberOfOurs => ({
  account: `${row}.account_id`,
  bot: `${row}.bot_id`,
  channel: `${row}.channel`,
});

/** Whether an address is new to a dialog: neither it nor another dialog of the same customer has it. Null is not. */
const isNewTo = (row: string, of: NumberOfOurs, address: string): string =>
  `(${address} IS DISTINCT FROM ${row}.contact AND ${address} IS DISTINCT FROM ${row}.user_id AND ${address} IS NOT NULL
             AND NOT EXISTS (
             SELECT 1 FROM thread_addresses k
              WHERE k.account_id = ${of.account} AND k.address = ${address} AND k.bot_id = ${of.bot} AND k.channel = ${of.channel}
                AND (k.thread_id = ${row}.id OR k.thread_id = ANY (${row}.same_customer))))`;

/**
 * Whether something tells a dialog an address that is new to it. It costs nothing where the dialog's own columns say that
 * it is not.
 * @param row of the dialog: id, contact, user_id, phone, same_customer
 * @param told the number as `contactOf` writes it, or the user id, or null; and the phone, where one is told
 */
export const tellsNew = (
  row: string,
  of: NumberOfOurs,
  told: { contact: string; userId: string; phone?: string },
): string =>
  `(${isNewTo(row, of, told.contact)} OR ${isNewTo(row, of, told.userId)}
             ${told.phone === undefined ? '' : `OR ${row}.phone IS NULL AND ${told.phone} IS NOT NULL`})`;

/**
 * Takes the addresses of dialogs that this statement opens. Where another dialog has taken one meanwhile there is a unique
 * violation, and nothing is opened: the next try finds that dialog.
 * @param opened rows: account_id, bot_id, channel, id, contact, user_id
 */
export const takeAddresses = (opened: string): string => `
    INSERT INTO thread_addresses (account_id, address, bot_id, channel, thread_id)
    SELECT o.account_id, a.address, o.bot_id, o.channel, o.id
      FROM ${opened} o CROSS JOIN LATERAL (SELECT o.contact AS address UNION SELECT o.user_id) a
     WHERE a.address IS NOT NULL
     ORDER BY o.account_id, o.bot_id, o.channel, a.address COLLATE "C"`;

/** Whether no dialog has an address besides those whose own column it is. */
export const isFree = (of: NumberOfOurs, address: string): string => `${holderOf(of, address)} IS NULL`;

/**
 * An address that a message of ours tells, as an expression; null for one that the customer had and gave up: the message may be
 * of that time, and the address somebody else's by now.
 * @param row of the dialog: former_addresses
 */
export const toldByOurs = (row: string, address: string): string =>
  `CASE WHEN ${address} = ANY (${row}.former_addresses) THEN NULL ELSE ${address} END`;

/**
 * The dialogs to which numbers lead: `known` pairs each number with its dialog, and `locked` has the rows, locked in the order of
 * their ids. A dialog whose own number was changed while its lock was awaited is not among them.
 * @param contacts a set of numbers; ids: an array of dialogs that are known, whose ids stand for a number
 */
export const dialogsOfContacts = (
  of: NumberOfOurs,
  contacts: string,
  columns: string,
  ids = `'{}'::uuid[]`,
): string => `
  known AS MATERIALIZED (
    SELECT c.contact, d.id, d.contact = c.contact AS is_own
      FROM ${contacts} c (contact)
      JOIN threads d ON d.account_id = ${of.account} AND d.id = coalesce(${holderOf(of, 'c.contact')}, ${columnHolderOf(of, 'contact', 'c.contact')})
    UNION ALL SELECT i.id::text, i.id, false FROM unnest(${ids}) i (id)),
  locked AS MATERIALIZED (
    SELECT t.id, t.contact, ${columns} FROM threads t
     WHERE t.account_id = ${of.account} AND t.id IN (SELECT id FROM known) AND t.erased_at IS NULL
       AND (NOT EXISTS (SELECT 1 FROM known k WHERE k.id = t.id AND k.is_own)
            OR t.contact IN (SELECT k.contact FROM known k WHERE k.id = t.id AND k.is_own))
     ORDER BY t.id FOR NO KEY UPDATE)`;
