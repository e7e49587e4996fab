import type { CsvTable } from './csv-types';
import { readPhone } from '@app/contracts/values/phone-reader';
import { sendWords } from '../send.words';
import type { Slot } from '../../../shared/template/slot.rules';

/** Where the value of a slot comes from: a column, or the same text for all. */
export interface Source {
  column: number | null;
  text: string;
}

const PHONE_NAMES = /phone|whats|mobile|^tel|тел|номер|моб|вацап|ватсап/i;
const CUSTOMER_NAMES =
  /^(name|(full|customer|client)[ _]?name|customer|client|имя|фио|(имя|фио) (клиента|покупателя)|клиент|покупатель)$/i;
const SAMPLE_ROWS = 50;
const PHONE_SHARE = 0.5;
const NAMED_SHARE = 0.5;

const fold = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[{}\s_-]/g, '');

/** Whether a text is a phone, if perhaps one that does not say its country. */
export function looksLikePhone(text: string, country: string | null): boolean {
  const { phone, fault } = readPhone(text, country);
  return phone !== null || fault === 'no_country' || fault === 'ambiguous';
}

/** The column of phones: where most of them are, and one that is called so rather. Null: none looks like it. */
export function guessPhone({ header, rows }: CsvTable, country: string | null): number | null {
  const sample = rows.slice(0, SAMPLE_ROWS);
  const [best] = header
    .map((name, column) => {
      const phones = sample.filter(({ cells }) => looksLikePhone(cells[column] ?? '', country)).length;
      const share = sample.length > 0 ? phones / sample.length : 0;
      return { column, score: share + (PHONE_NAMES.test(name) ? PHONE_SHARE : 0) };
    })
    .sort((a, b) => b.score - a.score);
  return best && best.score >= PHONE_SHARE ? best.column : null;
}

/**
 * The column of the customers' names: by its own, and by words in it, for a wrong guess renames people. Null: none is
 * called so.
 */
export function guessName({ header, rows }: CsvTable, phone: number | null): number | null {
  const hasWords = (column: number): boolean => {
    const given = rows.slice(0, SAMPLE_ROWS).flatMap(({ cells }) => (cells[column] ?? '').trim() || []);
    return given.filter((cell) => /\p{L}/u.test(cell)).length >= given.length * NAMED_SHARE;
  };
  const column = header.findIndex(
    (name, n) => n !== phone && CUSTOMER_NAMES.test(name.trim()) && hasWords(n),
  );
  return column < 0 ? null : column;
}

/** The names by which a header may mean a slot. */
function namesOf({ part, field, name, index }: Slot): string[] {
  if (part === 'body') return [name, `param${name}`, `var${name}`, `value${name}`, `значение${name}`];
  if (part === 'button')
    return [name, `button${index + 1}`, ...(field === 'code' ? ['code', 'код'] : ['url'])];
  if (field === 'text') return ['header', 'title', 'заголовок'];
  if (field === 'link') return ['link', 'url', name, 'ссылка'];
  return [field];
}

/**
 * Columns for the slots, by their names. What no name tells goes by place where exactly as many columns are left as
 * variables: the preview shows what came of it.
 */
export function guessSources({ header }: CsvTable, phone: number | null, slots: readonly Slot[]): Source[] {
  const names = header.map(fold);
  const taken = new Set(phone === null ? [] : [phone]);
  const found = slots.map((slot) => {
    const column = names.findIndex((name, n) => !taken.has(n) && namesOf(slot).map(fold).includes(name));
    if (column >= 0) taken.add(column);
    return column;
  });
  // What a file of faulty rows says of them is for people.
  const told = fold(sendWords.say('whyNotSent'));
  const free = header
    .map((_, column) => column)
    .filter((column) => !taken.has(column) && names[column] !== told);
  const open = found.filter((column, n) => column < 0 && !slots[n]?.isOptional).length;
  const byPlace = open === free.length ? free.values() : [].values();
  return found.map((column, n) => {
    if (column >= 0) return { column, text: '' };
    const next = slots[n]?.isOptional ? undefined : byPlace.next().value;
    return { column: next ?? null, text: '' };
  });
}
