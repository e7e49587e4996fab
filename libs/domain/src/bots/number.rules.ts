import { faultOfAppSecret } from '@app/config/environment-schema';
import type { FieldViolation } from '@app/contracts/coded.errors';
import type { Channel } from '@app/contracts/message.words';

/** How a channel identifies a number, and which further settings its provider needs. */
interface NumberRule {
  /** Whether an app signs its webhooks. */
  signs: boolean;
  sender: RegExp;
  senderMessage: string;
  settings: Record<string, { is: RegExp; message: string }>;
}

const DIGITS = /^\d{5,20}$/;

const RULES: Record<Channel, NumberRule> = {
  waba_coexistence: {
    signs: true,
    sender: DIGITS,
    senderMessage:
      'must be the phone_number_id of the Cloud API: 5 to 20 digits, not the phone number itself',
    settings: { waba_id: { is: DIGITS, message: 'must be the id of the business account: 5 to 20 digits' } },
  },
  waba: {
    signs: false,
    sender: /^[1-9]\d{6,14}$/,
    senderMessage: 'must be the source number at Gupshup: 7 to 15 digits, the country code first',
    settings: {
      app_id: {
        is: /^[\w-]{1,100}$/,
        message: 'must be the id of the Gupshup app: up to 100 letters, digits, _ and -, such as a UUID',
      },
      app_name: {
        is: /^[\x21-\x7e]{1,100}$/,
        message: 'must be the name of the Gupshup app: up to 100 visible ASCII characters, no blanks',
      },
    },
  },
};

/** A number as an admin gives it. */
interface GivenNumber {
  sender: string;
  settings: Record<string, unknown>;
  appSecret?: string | null;
}

/** Violations of a number, as far as they are known without asking the provider. */
export function violationsOfNumber(
  channel: Channel,
  { sender, settings, appSecret }: GivenNumber,
): FieldViolation[] {
  const rule = RULES[channel];
  const violations: FieldViolation[] = [];
  if (!rule.sender.test(sender)) violations.push({ path: 'sender', message: rule.senderMessage });
  for (const [name, { is, message }] of Object.entries(rule.settings)) {
    const value = settings[name];
    if (value === undefined) violations.push({ path: `settings.${name}`, message: 'is required' });
    else if (typeof value !== 'string' || !is.test(value))
      violations.push({ path: `settings.${name}`, message });
  }
  const fault = typeof appSecret === 'string' ? faultOf(appSecret, rule) : null;
  if (fault !== null) violations.push({ path: 'app_secret', message: fault });
  return violations;
}

/** By the rules of each app secret of the installation, which are a list with commas. */
function faultOf(appSecret: string, { signs }: NumberRule): string | null {
  if (!signs) return 'is not for this channel: its provider signs nothing';
  return appSecret.includes(',')
    ? 'must be the secret of one app, without commas'
    : faultOfAppSecret(appSecret);
}

/** The settings that the channel uses. Others are left out. */
export function settingsOf(channel: Channel, settings: Record<string, unknown>): Record<string, string> {
  const names = Object.keys(RULES[channel].settings);
  return Object.fromEntries(names.map((name) => [name, String(settings[name])]));
}
