import { isRounded, readPhone, type PhoneReading } from '@app/contracts/values/phone-reader';
import type { PhoneFault } from '@app/contracts/values/phone.words';
import type { CheckedRow, Fault, GivenRow, SentTemplate } from '../send-types';
import { formatThreadId, threadIdOrNothing, NIL_ID } from '@app/contracts/uuid.format';
import { filledIn, labelOf, type Slot, faultOfValue } from '../../../shared/template/slot.rules';

/** As WhatsApp publishes them. */
const BODY_MAX = 1_024;
const HEADER_MAX = 60;
function* faultsOf(
  template: SentTemplate,
  slots: readonly Slot[],
  values: readonly string[],
): Generator<Fault> {
  for (const [n, slot] of slots.entries()) {
    const kind = faultOfValue(slot, values[n] ?? '');
    if (kind) yield { kind, slot: labelOf(slot) };
  }
  const { header, body } = filledIn(template, slots, values);
  if (body.length > BODY_MAX || (header?.text ?? '').length > HEADER_MAX) yield { kind: 'long' };
}

const phoneFault = (phone: string, fault: PhoneFault): Fault => ({
  kind: isRounded(phone) ? 'rounded' : fault,
});

/** Whether a recipient is the customer of a dialog, who may have no phone. */
export const isDialog = (to: string): boolean => !to.startsWith('+');

/** A list of so many rows is checked anew at each key, and phones are slow to read. */
const KEPT_MAX = 200_000;
let kept = { country: null as string | null, readings: new Map<string, PhoneReading>() };

function reading(phone: string, country: string | null): PhoneReading {
  const id = threadIdOrNothing(phone);
  if (id !== NIL_ID) return { phone: formatThreadId(id) };
  if (kept.country !== country || kept.readings.size > KEPT_MAX) kept = { country, readings: new Map() };
  let found = kept.readings.get(phone);
  if (!found) kept.readings.set(phone, (found = readPhone(phone, country)));
  return found;
}

/**
 * Finds what of the rows themselves would be refused. Without a template: phones alone.
 * @param country in which phones are read that do not say theirs
 */
export function checkRows(
  rows: readonly GivenRow[],
  template: SentTemplate | null,
  slots: readonly Slot[],
  country: string | null,
): CheckedRow[] {
  return rows.map((given) => {
    const { phone: to, fault } = reading(given.phone, country);
    const faults = template ? [...faultsOf(template, slots, given.values)] : [];
    if (to === null) return { ...given, to, faults: [phoneFault(given.phone, fault), ...faults] };
    return { ...given, name: isDialog(to) ? null : given.name, to, faults };
  });
}
