import type { AccountReport } from '@app/domain/webhooks/provider.events';
import type { ItemCollector } from '../../webhooks/item.collector';
import { UnreadableError } from '../../webhooks/item.fields';
import type { Change } from './cloud.change';

type Effect = AccountReport['effect'];

const EVENT_LENGTH_MAX = 255;

/** Facts 5.7 and 6.3; of any other event nothing follows. */
const EFFECTS: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  ['PARTNER_REMOVED', 'stops'],
  ['ACCOUNT_OFFBOARDED', 'stops'],
  ['ACCOUNT_DELETED', 'stops'],
  ['ACCOUNT_RECONNECTED', 'resumes'],
]);

/** What a ban that is only announced does: nothing yet. */
const EFFECTS_OF_BAN: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  ['DISABLE', 'stops'],
  ['REINSTATE', 'resumes'],
]);

const STOPPING_RESTRICTIONS: ReadonlySet<string> = new Set([
  'RESTRICTED_BIZ_INITIATED_MESSAGING',
  'RESTRICTED_CUSTOMER_INITIATED_MESSAGING',
  'RESTRICTED_UTILITY_TEMPLATES',
]);

/** The field `account_update`. Its event is told with what says more about it, such as the reason of a disconnection. */
export function takeAccountUpdate({ value, path, businessId }: Change, items: ItemCollector): void {
  const event = value.word('event');
  if (event === null) throw new UnreadableError('"event" is missing');
  const ban = value.object('ban_info')?.word('waba_ban_state') ?? null;
  const reason = value.object('disconnection_info')?.word('reason') ?? null;
  const restrictions = value.objects('restriction_info');
  const types = restrictions.flatMap((restriction) => restriction.word('restriction_type') ?? []);
  const told = [event, ban, reason, ...types].filter((part) => part !== null).join(' ');
  const effect =
    event === 'ACCOUNT_RESTRICTION'
      ? effectOf(types)
      : event === 'DISABLED_UPDATE'
        ? EFFECTS_OF_BAN.get(ban ?? '')
        : EFFECTS.get(event);
  const number = value.object('metadata')?.id('phone_number_id') ?? null;
  items.add(path, {
    kind: 'account',
    number,
    businessId,
    event: told.slice(0, EVENT_LENGTH_MAX),
    effect: effect ?? 'none',
  });
}

const effectOf = (restrictions: string[]): Effect =>
  restrictions.some((type) => STOPPING_RESTRICTIONS.has(type)) ? 'stops' : 'none';
