import type { AccountReport } from '@app/domain/webhooks/provider-events';
import { digitsOf } from '../../webhooks/contact-address';
import type { ItemCollector } from '../../webhooks/item-collector';
import { UnreadableError, type Fields, timeOf } from '../../webhooks/item-fields';
import type { Change } from './cloud-change';

type Effect = AccountReport['effect'];

const EVENT_LENGTH_MAX = 255;
const DATE = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:?\d\d)$/;

/** Facts 5.7 and 6.3. Of other events people are told. */
const EFFECTS: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  ['PARTNER_REMOVED', 'stops'],
  ['PARTNER_APP_UNINSTALLED', 'stops'],
  ['ACCOUNT_OFFBOARDED', 'stops'],
  ['ACCOUNT_DELETED', 'stops'],
  ['ACCOUNT_RECONNECTED', 'resumes'],
]);

/** Of a ban that is only announced, or announced with its end, people are told. Meta's own example has a list of states. */
const EFFECTS_OF_BAN: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  ['DISABLE', 'stops'],
  ['REINSTATE', 'resumes'],
]);

/** Only both together stop all sending. Where one alone forbids a message, the provider refuses it. */
const SENDING_RESTRICTIONS = [
  'RESTRICTED_BIZ_INITIATED_MESSAGING',
  'RESTRICTED_CUSTOMER_INITIATED_MESSAGING',
] as const;

/**
 * The business account that a value of `account_update` names by itself: its entry may be the partner's, by whom the account is
 * connected.
 */
export const accountNamedIn = (value: Fields): string | null =>
  value.object('waba_info')?.id('waba_id') ?? null;

/** The field `account_update`. Its event is reported with its details, such as the reason for a disconnection. */
export function takeAccountUpdate({ value, path, businessId, at }: Change, items: ItemCollector): void {
  const event = value.word('event');
  if (event === null) throw new UnreadableError('"event" is missing');
  const bans = value.object('ban_info')?.words('waba_ban_state') ?? [];
  const reason = value.object('disconnection_info')?.word('reason') ?? null;
  const restrictions = value.objects('restriction_info');
  const types = restrictions.flatMap((restriction) => restriction.word('restriction_type') ?? []);
  const told = [event, ...bans, reason, ...types].filter((part) => part !== null).join(' ');
  const stop = event === 'ACCOUNT_RESTRICTION' ? stopOf(restrictions) : null;
  const phone = value.has('phone_number') ? digitsOf(value, 'phone_number') : null;
  if (value.has('phone_number') && phone === null) throw new UnreadableError('"phone_number" is no phone');
  items.add(path, {
    kind: 'account',
    number: value.object('metadata')?.id('phone_number_id') ?? null,
    phone,
    businessId: accountNamedIn(value) ?? businessId,
    event: told.slice(0, EVENT_LENGTH_MAX),
    effect: stop ? 'stops' : effectOf(event, bans),
    at,
    until: stop?.until ?? null,
    details: value.object('ban_info')?.text('waba_ban_date', EVENT_LENGTH_MAX) ?? '',
  });
}

function effectOf(event: string, bans: readonly string[]): Effect {
  if (event !== 'DISABLED_UPDATE') return EFFECTS.get(event) ?? 'tells';
  const effects = new Set(bans.flatMap((ban) => EFFECTS_OF_BAN.get(ban) ?? []));
  const [effect = 'tells'] = effects;
  return effects.size === 1 ? effect : 'tells';
}

/**
 * @returns null where something can be sent; else the end of the stop, null when it cannot be read
 */
function stopOf(restrictions: readonly Fields[]): { until: Date | null } | null {
  const ends = SENDING_RESTRICTIONS.map((type) =>
    restrictions.filter((restriction) => restriction.word('restriction_type') === type).map(expirationOf),
  );
  if (ends.some((of) => of.length === 0)) return null;
  const known = ends.map(lastOf).filter((end) => end !== null);
  return { until: known.length === 0 ? null : new Date(Math.min(...known.map((end) => end.getTime()))) };
}

/** Meta sends seconds. Some who pass Meta's webhooks on write a date with its offset instead. */
function expirationOf(restriction: Fields): Date | null {
  const date = restriction.word('expiration') ?? '';
  if (!DATE.test(date)) return timeOf(restriction, 'expiration');
  const time = Date.parse(date);
  return Number.isNaN(time) ? null : new Date(time);
}

/** Null where one of them has no readable end. */
function lastOf(times: readonly (Date | null)[]): Date | null {
  const known = times.filter((time) => time !== null);
  if (known.length === 0 || known.length < times.length) return null;
  return new Date(Math.max(...known.map((time) => time.getTime())));
}
