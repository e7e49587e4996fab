import { MAGIC_NUMBERS, type MagicName } from '@app/contracts/magic-numbers';
import type { Channel } from '@app/contracts/message.words';

/** A request that is refused. */
export interface Refusal {
  httpStatus: number;
  /** Meta's number for it; Gupshup has none. */
  code: number | null;
  message: string;
  retryAfterSeconds?: number;
}

/** How the answer to an accepted message is lost. */
export type LostAnswer = 'server-error' | 'hang' | 'reset' | 'garbage' | 'huge' | 'redirect' | 'without-id';

/** How an accepted message's states are reported. */
export type StateOrder =
  | 'ordinary'
  | 'without-delivered'
  | 'reversed'
  | 'doubled'
  | 'before-answer'
  | 'failed-after-sent'
  | 'only-sent'
  | 'never-read';

/** What a magic phone does. */
export type MagicAct =
  | { kind: 'refuse'; refusal: Refusal; times?: number }
  | { kind: 'fail'; code: number; times?: number }
  | { kind: 'lose'; how: LostAnswer }
  | { kind: 'tell'; order: StateOrder; code?: number };

const meta = (httpStatus: number, code: number, message: string): Refusal => ({ httpStatus, code, message });
const gupshup = (httpStatus: number, message: string): Refusal => ({ httpStatus, code: null, message });
const refuse = (refusal: Refusal, times?: number): MagicAct => ({ kind: 'refuse', refusal, times });
const fail = (code: number, times?: number): MagicAct => ({ kind: 'fail', code, times });

type Acts = Readonly<Record<Channel, MagicAct>>;
const alike = (act: MagicAct): Acts => ({ waba_coexistence: act, waba: act });
const lose = (how: LostAnswer): Acts => alike({ kind: 'lose', how });
const tell = (order: StateOrder, code?: number): Acts => alike({ kind: 'tell', order, code });

const THROTTLED = meta(429, 130429, 'Rate limit hit');
const TOO_MANY = gupshup(429, 'Too Many Requests');

const ACTS: Readonly<Record<MagicName, Acts>> = {
  undeliverable: alike(fail(131026)),
  'marketing-cap': alike(fail(131049)),
  'opted-out': alike(fail(131050)),
  experiment: alike(fail(130472)),
  'billing-later': { waba_coexistence: fail(131042), waba: fail(1003) },
  'billing-at-once': {
    waba_coexistence: refuse(meta(400, 131042, 'Business eligibility payment issue')),
    waba: refuse(gupshup(400, 'Insufficient wallet balance')),
  },
  'wrong-number': {
    waba_coexistence: refuse(meta(400, 131009, 'Parameter value is not valid')),
    waba: refuse(gupshup(400, 'Invalid Destination')),
  },
  'server-error': lose('server-error'),
  'server-error-not-taken': {
    waba_coexistence: refuse(meta(503, 2, 'Service temporarily unavailable')),
    waba: refuse(gupshup(500, 'Internal Server Error')),
  },
  hang: lose('hang'),
  reset: lose('reset'),
  garbage: lose('garbage'),
  huge: lose('huge'),
  redirect: lose('redirect'),
  'without-id': lose('without-id'),
  throttled: {
    waba_coexistence: refuse({ ...THROTTLED, retryAfterSeconds: 1 }, 2),
    waba: refuse({ ...TOO_MANY, retryAfterSeconds: 1 }, 2),
  },
  'throttled-without-time': {
    waba_coexistence: refuse({ ...THROTTLED, httpStatus: 400 }, 2),
    waba: refuse(TOO_MANY, 2),
  },
  'pair-limit': {
    waba_coexistence: refuse(
      meta(400, 131056, '(Business Account, Consumer Account) pair rate limit hit'),
      1,
    ),
    waba: fail(131056, 1),
  },
  'delivered-skipped': tell('without-delivered'),
  'states-reversed': tell('reversed'),
  'states-doubled': tell('doubled'),
  'state-before-answer': tell('before-answer'),
  'failed-after-sent': tell('failed-after-sent', 131026),
  'only-sent': tell('only-sent'),
  'never-read': tell('never-read'),
  'opted-out-at-once': {
    waba_coexistence: refuse(meta(400, 131050, 'User has stopped marketing messages from this business')),
    waba: fail(131050),
  },
};

const NAMES = new Map<string, MagicName>(MAGIC_NUMBERS.map(({ phone, name }) => [phone, name]));

/** What the phone does with messages of the channel; null for an ordinary phone. */
export function magicActOf(phone: string, channel: Channel): MagicAct | null {
  const name = NAMES.get(phone);
  return name ? ACTS[name][channel] : null;
}

/** Counts requests to phones that refuse only the first ones. The count restarts after an accepted one. */
export class MagicCounts {
  private readonly counts = new Map<string, number>();

  /** Whether the phone misbehaves this time. */
  acts(key: string, times: number | undefined): boolean {
    if (times === undefined) return true;
    const count = this.counts.get(key) ?? 0;
    this.counts.set(key, count < times ? count + 1 : 0);
    return count < times;
  }
}
