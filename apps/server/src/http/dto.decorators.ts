import { isUuid } from '@app/contracts/uuid.format';
import { ValidateBy, ValidateIf } from 'class-validator';

/** The field may be absent; null is not absence. */
export const MayBeAbsent = () => ValidateIf((_: object, value: unknown) => value !== undefined);

/** The field may be null. */
export const MayBeNull = () => ValidateIf((_: object, value: unknown) => value !== null);

/** A non-empty string: an id or a code. Of any length: what is too long to be an id names nothing. */
export const IsText = () =>
  ValidateBy({
    name: 'isText',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && value !== '',
      defaultMessage: (about) => (about?.value === undefined ? 'is required' : 'must be a non-empty string'),
    },
  });

/** What people know a thing by: something must be there to be read. */
export const IsName = (maxLength: number) =>
  ValidateBy({
    name: 'isName',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && value.trim() !== '' && value.length <= maxLength,
      defaultMessage: (about) =>
        about?.value === undefined
          ? 'is required'
          : `must be a non-empty string of at most ${maxLength} characters, not of blanks alone`,
    },
  });

/** A string of bounded length, which may be empty. */
export const IsLongText = (maxLength: number) =>
  ValidateBy({
    name: 'isLongText',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && value.length <= maxLength,
      defaultMessage: (about) =>
        about?.value === undefined ? 'is required' : `must be a string of at most ${maxLength} characters`,
    },
  });

/** A real JSON boolean. */
export const IsFlag = () =>
  ValidateBy({
    name: 'isFlag',
    validator: {
      validate: (value: unknown) => typeof value === 'boolean',
      defaultMessage: (about) =>
        about?.value === undefined
          ? 'is required'
          : 'must be the JSON boolean true or false, nothing that resembles one',
    },
  });

/** A whole JSON number within bounds. */
export const IsWhole = (least: number, most: number) =>
  ValidateBy({
    name: 'isWhole',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most,
      defaultMessage: () => `must be a whole number from ${least} to ${most}`,
    },
  });

/** An array of non-empty strings. */
export const IsTexts = (maxItems: number) =>
  ValidateBy({
    name: 'isTexts',
    validator: {
      validate: (value: unknown) =>
        Array.isArray(value) &&
        value.length <= maxItems &&
        value.every((item) => typeof item === 'string' && item !== '' && item.length <= 4096),
      defaultMessage: () => `must be an array of at most ${maxItems} non-empty strings`,
    },
  });

/** An array of one or more of these words, or also of none, and none twice. */
export const IsSomeOf = (words: readonly string[], { orNone = false } = {}) =>
  ValidateBy({
    name: 'isSomeOf',
    validator: {
      validate: (value: unknown) =>
        Array.isArray(value) &&
        (orNone || value.length > 0) &&
        value.length <= words.length &&
        new Set(value).size === value.length &&
        value.every((item) => words.includes(item as string)),
      defaultMessage: () =>
        `must be an array of ${orNone ? 'some' : 'one or more'} of ${words.join(', ')}, none twice`,
    },
  });

const ISO_TIME = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether a day is in the calendar; `Date.parse` takes 30 February for 2 March. */
function isDay(day: string): boolean {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** An ISO 8601 time with its offset. Whether it lies ahead is asked of the database: no process's clock decides. */
export const IsTime = () =>
  ValidateBy({
    name: 'isTime',
    validator: {
      validate: (value: unknown) => {
        if (typeof value !== 'string') return false;
        const [, day] = ISO_TIME.exec(value) ?? [];
        return day !== undefined && isDay(day) && Date.parse(value) <= LAST_TIME;
      },
      defaultMessage: () => 'must be an ISO 8601 time, such as 2030-01-31T12:00:00Z',
    },
  });

/** A UUID. Only where an id of another form is a fault of the body: elsewhere it names nothing, and is not found. */
export const IsId = () =>
  ValidateBy({
    name: 'isId',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isUuid(value),
      defaultMessage: (about) => (about?.value === undefined ? 'is required' : 'must be a UUID'),
    },
  });

/** One of these words. */
export const IsOneOf = (words: readonly string[]) =>
  ValidateBy({
    name: 'isOneOf',
    validator: {
      validate: (value: unknown) => words.includes(value as string),
      defaultMessage: (about) =>
        about?.value === undefined ? 'is required' : `must be one of ${words.join(', ')}`,
    },
  });

/** A credential, which goes out as it is in a header: printable ASCII without blanks, of a bounded length. */
export const IsSecret = (maxLength: number) =>
  ValidateBy({
    name: 'isSecret',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && value.length <= maxLength && /^[\x21-\x7e]+$/.test(value),
      defaultMessage: () => `must be at most ${maxLength} printable ASCII characters without blanks`,
    },
  });

/** A JSON object. */
export const IsRecord = () =>
  ValidateBy({
    name: 'isRecord',
    validator: {
      validate: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
      defaultMessage: (about) => (about?.value === undefined ? 'is required' : 'must be an object'),
    },
  });
