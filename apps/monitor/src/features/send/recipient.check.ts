import { contactOf } from '@app/contracts/contact.address';
import { isRounded, readPhone } from '@app/contracts/phone.reader';
import type { CheckedRow, Fault, GivenRow, SentTemplate } from './send.types';
import { filledIn, labelOf, type Slot } from '../../shared/template/slot.rules';
import { faultOfValue } from '../../shared/template/value.check';

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

function phoneFault(phone: string): Fault {
  if (phone.trim() === '') return { kind: 'noPhone' };
  return { kind: isRounded(phone) ? 'rounded' : 'phone' };
}

/** Finds what would be refused, row by row, and phones that stand in an earlier row. Without a template: phones alone. */
export function checkRows(
  rows: readonly GivenRow[],
  template: SentTemplate | null,
  slots: readonly Slot[],
): CheckedRow[] {
  const seen = new Map<string, number>();
  return rows.map((given) => {
    const to = readPhone(given.phone);
    const faults = template ? [...faultsOf(template, slots, given.values)] : [];
    if (to === null) return { ...given, to, faults: [phoneFault(given.phone), ...faults], duplicateOf: null };
    const contact = contactOf(to);
    const duplicateOf = seen.get(contact) ?? null;
    // A row that cannot be sent keeps none that can from being sent.
    if (duplicateOf === null && faults.length === 0) seen.set(contact, given.row);
    return { ...given, to, faults, duplicateOf };
  });
}
