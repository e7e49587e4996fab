import { AesChannelCipher } from '@app/integrations/cipher/aes-channel-cipher';
import type { Client } from 'pg';
import { deriveKey, type DemoSecrets } from '../data-folder';
import { BOTS, type DemoNumber } from './demo-accounts';

/** The sandbox accepts any pace, so only its latency limits how long a list takes. */
const MESSAGES_PER_SECOND = 2_000;

/** How the provider shows a number of the demo. */
export const tokenOf = (secrets: DemoSecrets, number: DemoNumber): string =>
  deriveKey(secrets, `number ${number.channel} ${number.sender}`).replace(/^ll_/, 'EAAD');

const settingsOf = (number: DemoNumber): Record<string, string> =>
  number.channel === 'waba'
    ? { app_id: number.appId, app_name: number.appName }
    : { waba_id: number.businessId };

/**
 * Connects the demo's numbers. Repeated at each start, because the tokens are derived from the secrets. A number that
 * somebody has disconnected or connected differently stays as it is.
 */
export async function seedNumbers(db: Client, secrets: DemoSecrets, encryptionKey: string): Promise<void> {
  const cipher = new AesChannelCipher(encryptionKey);
  for (const { accountId, id, channels } of BOTS) {
    for (const number of channels) {
      const { channel, sender, displayPhone } = number;
      const { keyId, sealed } = cipher.seal(tokenOf(secrets, number), `${accountId}/${id}/${channel}`);
      await db.query(
        `INSERT INTO bot_channels (account_id, bot_id, channel, sender, phone, settings, credential_key_id, credential, messages_per_second)
         VALUES ($1, $2, $3, $4, $9, $5, $6, $7, $8)
         ON CONFLICT (account_id, bot_id, channel) DO UPDATE
           SET credential_key_id = excluded.credential_key_id, credential = excluded.credential, settings = excluded.settings,
               phone = excluded.phone,
               messages_per_second = coalesce(bot_channels.messages_per_second, excluded.messages_per_second)
         WHERE bot_channels.sender = excluded.sender
           AND (bot_channels.credential IS NOT NULL OR bot_channels.settings = '{}')`,
        [
          accountId,
          id,
          channel,
          sender,
          settingsOf(number),
          keyId,
          sealed,
          MESSAGES_PER_SECOND,
          displayPhone,
        ],
      );
    }
  }
}
