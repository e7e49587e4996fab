import { createHmac } from 'node:crypto';
import type { AddressColumns } from '../incoming/address.statements';

/** What is still known of customers whose dialogs were erased: marks from which nobody learns who they are. */

const KEY = 'leadline.opt_out_key';

/** The setting of sessions whose statements make marks of opt-outs. @param encryptionKey of the installation */
export const optOutKey = (encryptionKey: string): string =>
  `${KEY}=${createHmac('sha256', encryptionKey.toLowerCase()).update('marks of opt-outs').digest('hex')}`;

const joined = (...parts: string[]): string => `convert_to(concat_ws(' ', ${parts.join(', ')}), 'UTF8')`;

/** A hash of bytes that only the processes can make. Null without the key. */
export const keyedHash = (bytes: string): string => {
  const key = `decode(current_setting('${KEY}', true), 'hex')`;
  return `sha256(${key} || sha256(${key} || ${bytes}))`;
};

/**
 * The mark of an opt-out. A phone has too few digits for a plain hash to hide it, so the mark has a key, which only
 * the processes know. Null without the key, and without an address.
 */
export const optOutMark = (
  { account, bot, channel }: Omit<AddressColumns, 'contact' | 'userId'>,
  address: string,
): string =>
  `CASE WHEN ${address} IS NOT NULL THEN
             ${keyedHash(joined(account, bot, channel, address))} END`;

/** Whether the customer of a new dialog had opted out in one that was erased. */
export const hadOptedOut = ({ contact, userId, ...of }: AddressColumns): string => `EXISTS (
             SELECT 1 FROM kept_opt_outs kept WHERE kept.account_id = ${of.account}
                AND kept.mark IN (${optOutMark(of, contact)}, ${optOutMark(of, userId)}))`;

/**
 * The mark of an erased message, by which a webhook that comes again is recognised. Providers' ids have random parts, so
 * the mark needs no key. It is a row of `webhook_marks`.
 */
export const erasedMessageMark = (bot: string, channel: string, providerId: string): string =>
  `sha256(${joined(`'erased message'`, bot, channel, providerId)})`;
