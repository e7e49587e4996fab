import type { AuditedNumber } from '@app/persistence/bots/bot-channel.repository';
import type { BotRow } from '@app/persistence/bots/bot.repository';
import type { AuditedThing } from '../audit/audited-thing';

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
