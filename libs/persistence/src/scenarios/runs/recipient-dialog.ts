import type { Transaction } from '../../database/database.service';
import { holderOfAddress } from '../../messages/incoming/address.statements';
import { statement } from '../../database/sql.statements';
import type { ThreadEntity } from '../../threads/thread.entity';
import { takeoverRuns } from '../../threads/thread.rules';
import type { MessageToStore } from './dialog-transaction';

/** Why a message may not go into another dialog of the customer. */
export class RecipientRefusal extends Error {
  constructor(readonly reason: 'opted_out' | 'takeover') {
    super(reason);
  }
}

interface RecipientDialog extends Pick<ThreadEntity, 'opted_out'> {
  takeover: boolean;
}

/** The lock keeps the dialog as it is, its number included, until the message is stored. */
const LOCK_RECIPIENT = statement('scenario-recipient-lock').takes('accountId', 'botId', 'channel', 'contact')
  .returns<RecipientDialog>(`
  WITH cur AS MATERIALIZED (
    SELECT id, opted_out, takeover_until FROM threads
     WHERE account_id = :accountId AND id = ${holderOfAddress(
       { account: ':accountId::uuid', bot: ':botId::uuid', channel: ':channel::text' },
       ':contact::text',
     )} FOR NO KEY UPDATE),
  timed AS MATERIALIZED (SELECT cur.*, clock_timestamp() AS at FROM cur)
  SELECT t.opted_out, ${takeoverRuns('t', 't.at')} AS takeover FROM timed t`);

/**
 * Locks the dialog into which a message goes by another channel than its run's.
 * @throws RecipientRefusal, which must roll the transaction back
 */
export async function requireRecipient(
  tx: Transaction,
  accountId: string,
  { botId, channel, intent, waitsForTakeover }: MessageToStore,
): Promise<void> {
  const [dialog] = await tx.run(LOCK_RECIPIENT, { accountId, botId, channel, contact: intent.contact });
  if (dialog?.opted_out) throw new RecipientRefusal('opted_out');
  if (dialog?.takeover && waitsForTakeover) throw new RecipientRefusal('takeover');
}
