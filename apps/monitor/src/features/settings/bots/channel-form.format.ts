import type { BotChannelAnswer, ConnectChannelRequest, BotAnswer } from '@app/client/api-types';
import { botWords } from './bot.words';

export type ChannelName = BotChannelAnswer['channel'];

/** What the provider of a channel needs besides the number. */
export const SETTINGS = {
  waba_coexistence: ['waba_id'],
  waba: ['app_id', 'app_name'],
} as const;

/** Messages a second, unless told otherwise. */
export const USUAL_PACE: Record<ChannelName, number> = { waba_coexistence: 20, waba: 80 };

/** What the server takes, told in the words of the page before it is asked. */
const FORMS = {
  waba_coexistence: { sender: /^\d{5,20}$/, waba_id: /^\d{5,20}$/ },
  waba: { sender: /^[1-9]\d{6,14}$/, app_id: /^[\w-]{1,100}$/, app_name: /^[\x21-\x7e]{1,100}$/ },
} as const;

const APP_SECRET = /^[\x21-\x2b\x2d-\x7e]{16,}$/;

const formsOf = (name: ChannelName): Record<string, RegExp> => FORMS[name];

/** A number as its form has it. */
export interface ChannelForm {
  sender: string;
  /** Empty: the one that is there stays. */
  credential: string;
  /** Of an own app at Meta. Empty: the one that is there stays. */
  appSecret: string;
  settings: Record<string, string>;
  pace: number | '';
}

export const channelOf = (bot: BotAnswer, name: ChannelName): BotChannelAnswer | null =>
  bot.channels.find(({ channel }) => channel === name) ?? null;

/** A number that the provider has stopped still has its secret. */
export const hasCredential = (channel: BotChannelAnswer | null): boolean =>
  channel !== null && (channel.connected || channel.stopped_reason !== null);

export const formOf = (channel: BotChannelAnswer | null, name: ChannelName): ChannelForm => ({
  sender: channel?.sender ?? '',
  credential: '',
  appSecret: '',
  settings: Object.fromEntries(SETTINGS[name].map((key) => [key, channel?.settings[key] ?? ''])),
  pace: channel?.messages_per_second ?? '',
});

export function faultsOf(form: ChannelForm, name: ChannelName, isSet: boolean): Record<string, string> {
  const t = botWords.say;
  const faults: Record<string, string> = {};
  if (form.sender.trim() === '') faults.sender = t('senderNeeded');
  else if (!FORMS[name].sender.test(form.sender.trim())) faults.sender = t(`senderForm_${name}`);
  if (form.credential.trim() === '' && !isSet) faults.credential = t('credentialNeeded');
  const appSecret = form.appSecret.trim();
  if (appSecret !== '' && !APP_SECRET.test(appSecret)) faults.appSecret = t('appSecretForm');
  for (const key of SETTINGS[name]) {
    const text = form.settings[key]?.trim() ?? '';
    if (text === '') faults[`settings.${key}`] = t('settingNeeded');
    else if (!formsOf(name)[key]?.test(text)) faults[`settings.${key}`] = t(`settingForm_${key}`);
  }
  if (form.pace !== '' && (form.pace < 1 || form.pace > 10_000)) faults.pace = t('paceRange');
  return faults;
}

/** A PUT replaces what was there, so it has the whole; only the secrets stay where they are absent. */
export const connectionOf = (form: ChannelForm): ConnectChannelRequest => ({
  sender: form.sender.trim(),
  ...(form.credential.trim() === '' ? {} : { credential: form.credential.trim() }),
  ...(form.appSecret.trim() === '' ? {} : { app_secret: form.appSecret.trim() }),
  settings: Object.fromEntries(Object.entries(form.settings).map(([key, text]) => [key, text.trim()])),
  ...(form.pace === '' ? {} : { messages_per_second: form.pace }),
});
