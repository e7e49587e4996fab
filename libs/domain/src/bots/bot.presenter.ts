import type { Channel } from '@app/contracts/message.words';
import type { AuditedNumber } from '@app/persistence/bots/bot-channel.repository';
import type { BotRow } from '@app/persistence/bots/bot.repository';
import type { AuditedThing } from '../audit/audited-thing';
import { phoneCountryOf } from './phone-countries.service';
import { webhookUrl, type WebhookAddresses } from './webhook-addresses';

export const AUDITED_BOT: AuditedThing<BotRow> = {
  type: 'bot',
  subjectOf: ({ account_id: accountId, id, name }) => ({ accountId, id, name }),
  shown: ['name', 'assistant_id'],
};

/** By the id of its bot, which has one number on each channel. */
export const AUDITED_NUMBER: AuditedThing<AuditedNumber> = {
  type: 'channel',
  subjectOf: ({ account_id: accountId, bot_id: id, channel, sender }) => ({
    ...{ accountId, id },
    name: `${channel} ${sender}`,
  }),
  shown: ['channel', 'sender', 'settings', 'messages_per_second', 'stopped_reason'],
  secret: ['credential', 'app_secret'],
};

/** A bot with its numbers, as admins see them. A credential and an app secret are never shown. */
export interface Bot {
  id: string;
  account_id: string;
  assistant_id: string;
  name: string;
  created_at: string;
  channels: BotChannel[];
}

interface BotChannel {
  channel: Channel;
  sender: string;
  /** In which phones of files are read that do not say theirs; null: none is known. */
  phone_country: string | null;
  settings: Record<string, string>;
  /** Null: the channel's default rate. */
  messages_per_second: number | null;
  /** Whether it can send: it has a credential, and nothing has stopped it. */
  connected: boolean;
  stopped_reason: string | null;
  /** Whether it has the secret of an own app at Meta. */
  app_secret_set: boolean;
  /** Null for whoever may not connect numbers: the address has a secret. */
  webhook_url: string | null;
}

export function presentBot(row: BotRow, addresses: WebhookAddresses | null): Bot {
  const { id, account_id, assistant_id, name } = row;
  return {
    ...{ id, account_id, assistant_id, name },
    created_at: row.created_at.toISOString(),
    channels: row.channels.map((number) => ({
      channel: number.channel,
      sender: number.sender,
      phone_country: phoneCountryOf(number),
      settings: number.settings,
      messages_per_second: number.messages_per_second,
      connected: number.connected,
      stopped_reason: number.stopped_because,
      app_secret_set: number.app_secret_key_id !== null,
      webhook_url: addresses && webhookUrl(addresses, number.channel, id),
    })),
  };
}
