import { demoId } from '@app/contracts/demo-ids';
import { ASSISTANTS, BOTS, type DemoNumber } from '../seed/demo-accounts';
import {
  CLINIC_FUNNEL,
  SALES_FUNNEL,
  SERVICE_FUNNEL,
  phoneOfDialog,
  placeOfNumber,
} from '../seed/demo-funnels';
import {
  CLINIC_LINES,
  SALES_LINES,
  SERVICE_LINES,
  type CustomerLanguage,
  type Intent,
  type Lines,
} from './life.words';

/** A customer who writes by herself. */
export interface CastMember {
  phone: string;
  channel: DemoNumber['channel'];
  sender: string;
  language: CustomerLanguage;
  /** Of one who is not seeded: she has no dialog until she writes first. */
  newcomer?: string;
}

/** The customers of one agent, and how its funnel goes on. */
export interface LifeScene {
  assistantId: string;
  /** How often it is this agent's turn. */
  weight: number;
  /** The key that reads its dialogs, and the one of the accounting system, which moves leads; by name. */
  keys: { reading: string; accounting: string };
  cast: readonly CastMember[];
  lines: Lines;
  /** What customers want at a stage, as often as it stands there; at none and at unknown ones they ask. */
  wants: ReadonlyMap<string | null, readonly Intent[]>;
  /** Stages where the agent is silent. */
  muted: ReadonlySet<string>;
  /** Where a lead waits for its money, and where it goes with it; null: nothing is paid here. */
  payment: { from: string; to: string } | null;
}

const status = (n: number): string => demoId('status', n);

type Seeded = readonly (readonly [n: number, language: CustomerLanguage])[];

/** Seeded dialogs by their number. Those that the documentation's examples name stay as they are. */
const SALES_CAST = [9, 10, 14, 15, 16, 17, 19, 23, 25, 26, 27, 28].map(
  (n): readonly [number, CustomerLanguage] => [n, n % 3 === 0 ? 'kk' : 'ru'],
);
const SERVICE_CAST: Seeded = [
  [31, 'en'],
  [32, 'ru'],
  [34, 'en'],
];
const CLINIC_CAST: Seeded = [
  [35, 'kk'],
  [36, 'en'],
  [37, 'ru'],
  [38, 'en'],
  [39, 'en'],
  [40, 'ru'],
];

/** Who comes in addition, seldom, and each only once: there are never more dialogs than these. */
const NEWCOMERS: readonly [name: string, language: CustomerLanguage][] = [
  ['Ерболат', 'kk'],
  ['Oliver', 'en'],
  ['Гульмира', 'kk'],
  ['Виктория', 'ru'],
  ['Emma', 'en'],
  ['Санжар', 'kk'],
];

function castOf(botIndex: number, seeded: Seeded): CastMember[] {
  const channels = BOTS[botIndex]?.channels ?? [];
  return seeded.flatMap(([n, language]) => {
    const number = channels[placeOfNumber(n, channels.length)];
    return number
      ? [{ phone: phoneOfDialog(n), channel: number.channel, sender: number.sender, language }]
      : [];
  });
}

function newcomersOf(botIndex: number): CastMember[] {
  const channels = BOTS[botIndex]?.channels ?? [];
  return NEWCOMERS.flatMap(([newcomer, language], index) => {
    const number = channels[index % channels.length];
    const phone = `+7701555${String(3001 + index)}`;
    return number ? [{ phone, channel: number.channel, sender: number.sender, language, newcomer }] : [];
  });
}

const mutedIn = (funnel: typeof SALES_FUNNEL): Set<string> =>
  new Set(funnel.filter(({ aiEnabled }) => aiEnabled === false).map(({ id }) => id));

export const SCENES: readonly LifeScene[] = [
  {
    ...{ assistantId: ASSISTANTS[0]?.id ?? '', weight: 7, lines: SALES_LINES, muted: mutedIn(SALES_FUNNEL) },
    keys: { reading: 'Reporting', accounting: 'Accounting system' },
    cast: [...castOf(0, SALES_CAST), ...newcomersOf(0)],
    wants: new Map<string | null, readonly Intent[]>([
      [null, ['ask', 'buy']],
      [status(1), ['ask', 'ask', 'buy', 'buy']],
      [status(2), ['ask', 'budget', 'budget', 'refuse']],
      [status(3), ['ask', 'invoice', 'invoice', 'invoice', 'refuse']],
      [status(4), ['paid', 'paid', 'ask']],
      [status(5), ['thanks', 'thanks', 'again']],
      [status(11), ['thanks', 'again']],
      [status(6), ['again']],
      [status(7), ['ask', 'buy']],
      [status(8), ['ask', 'buy']],
      [status(10), ['ask', 'thanks']],
    ]),
    payment: { from: status(4), to: status(5) },
  },
  {
    assistantId: ASSISTANTS[1]?.id ?? '',
    weight: 1,
    lines: SERVICE_LINES,
    muted: mutedIn(SERVICE_FUNNEL),
    keys: { reading: 'Reporting', accounting: 'Reporting' },
    cast: castOf(1, SERVICE_CAST),
    wants: new Map<string | null, readonly Intent[]>([
      [null, ['broken']],
      [status(21), ['ask', 'broken', 'broken']],
      [status(22), ['ask', 'fixed']],
      [status(23), ['thanks', 'broken', 'again']],
    ]),
    payment: null,
  },
  {
    assistantId: ASSISTANTS[2]?.id ?? '',
    weight: 2,
    lines: CLINIC_LINES,
    muted: mutedIn(CLINIC_FUNNEL),
    keys: { reading: 'Clinic system', accounting: 'Clinic system' },
    cast: castOf(2, CLINIC_CAST),
    wants: new Map<string | null, readonly Intent[]>([
      [null, ['ask', 'book']],
      [status(31), ['ask', 'book', 'book']],
      [status(32), ['ask', 'invoice', 'invoice', 'refuse']],
      [status(33), ['paid', 'ask']],
      [status(34), ['thanks', 'again']],
      [status(35), ['again']],
    ]),
    payment: { from: status(33), to: status(34) },
  },
];
