import { presentLocale } from '../words/language.store';

/** A phone in groups, as people read it: +7 701 555 10 06. Others than those of +7 stay as they are. */
export function readablePhone(phone: string): string {
  const parts = /^\+7(\d{3})(\d{3})(\d{2})(\d{2})$/.exec(phone);
  return parts ? `+7 ${parts.slice(1).join(' ')}` : phone;
}

/** 12,345 */
export const wholeNumber = (number: number): string => new Intl.NumberFormat(presentLocale()).format(number);

/** 45 %. @param share of 1 */
export const percent = (share: number): string =>
  new Intl.NumberFormat(presentLocale(), { style: 'percent', maximumFractionDigits: 1 }).format(share);

const partOf = (type: 'group' | 'decimal'): string =>
  new Intl.NumberFormat(presentLocale()).formatToParts(12_345.6).find((part) => part.type === type)?.value ??
  '';

/** What stands between thousands in the page's language. */
export const thousandSeparator = (): string => partOf('group');

/** What stands before the fraction of a number in the page's language. */
export const decimalSeparator = (): string => partOf('decimal');

const KILOBYTE = 1_024;
const MEGABYTE = KILOBYTE * KILOBYTE;

/** 1.2 MB. As messengers and operating systems count: a limit of 64 MB is 64, and no 67.1. */
export function fileSize(bytes: number): string {
  const [value, unit] =
    bytes < MEGABYTE ? [bytes / KILOBYTE, 'kilobyte'] : ([bytes / MEGABYTE, 'megabyte'] as const);
  const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(presentLocale(), options).format(value);
}
