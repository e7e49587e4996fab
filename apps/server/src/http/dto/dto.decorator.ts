import { isBlank } from '@app/contracts/values/free-text';
import type { FieldViolation } from '@app/contracts/coded.errors';
import { COUNTRIES } from '@app/contracts/values/phone.words';
import { isEmail, isPersonName } from '@app/domain/accounts/people/person.rules';
import { isTimezone } from '@app/domain/scenarios/runs/local-time';
import { applyDecorators } from '@nestjs/common';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  ValidateBy,
  ValidateIf,
} from 'class-validator';

type Refinement = (dto: object) => Iterable<FieldViolation>;

const refinements = new WeakMap<object, Refinement>();

/** A rule about several fields together, checked once each field alone is right. */
export const Refine =
  <T extends object>(rule: (dto: T) => Iterable<FieldViolation>) =>
  (dtoClass: new () => T): void => {
    refinements.set(dtoClass, rule as Refinement);
  };

export const refinementOf = (dtoClass: object): Refinement | undefined => refinements.get(dtoClass);

// Rules that class-validator lacks, or defines differently. Its MaxLength counts an emoji as one character, and its
// ISO 8601 accepts a day without a time; lengths here are of UTF-16 units.

/** The field may be absent. Null does not count as absent, so `@IsOptional`, which accepts null, would be wrong. */
export const MayBeAbsent = () => ValidateIf((_: object, value: unknown) => value !== undefined);

/** The field may be null. */
export const MayBeNull = () => ValidateIf((_: object, value: unknown) => value !== null);

/** A name for people: it must contain something visible. */
export const IsName = (maxLength: number) =>
  ValidateBy({
    name: 'isName',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && !isBlank(value) && value.length <= maxLength,
      defaultMessage: () =>
        `must be a non-empty string of at most ${maxLength} characters, not of blanks alone`,
    },
  });

/** A name of a person, a customer too, which stands in lists and sentences. */
export const IsPersonName = (maxLength: number) =>
  ValidateBy({
    name: 'isPersonName',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isPersonName(value, maxLength),
      defaultMessage: () =>
        `must be a non-empty string of at most ${maxLength} characters, not of blanks alone, without line breaks and characters that control or turn the text`,
    },
  });

/** An e-mail address of at most 254 characters. Whether it exists is not known here. */
export const IsEmail = () =>
  ValidateBy({
    name: 'isEmailAddress',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isEmail(value),
      defaultMessage: () => 'must be an e-mail address, such as dana@example.com',
    },
  });

/** A country by its code. */
export const IsCountry = () =>
  ValidateBy({
    name: 'isCountry',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && COUNTRIES.includes(value),
      defaultMessage: () => 'must be a country of ISO 3166 in two capitals, such as KZ',
    },
  });

export const TIMEZONE_MAX = 64;

/** A time zone by its name in the IANA database. */
export const IsTimezone = () =>
  ValidateBy({
    name: 'isTimezone',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && value.length <= TIMEZONE_MAX && isTimezone(value),
      defaultMessage: () => 'must be the name of a time zone, such as Asia/Almaty',
    },
  });

/** The rule's name, by which the message of a field finds the bound. */
export const IS_LONG_TEXT = 'isLongText';

/** A string of bounded length, which may be empty. */
export const IsLongText = (maxLength: number) =>
  ValidateBy({
    name: IS_LONG_TEXT,
    constraints: [maxLength],
    validator: {
      validate: (value: unknown) => typeof value === 'string' && value.length <= maxLength,
      defaultMessage: () => `must be a string of at most ${maxLength} characters`,
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

/** An array of ids, of which null may be one. */
export const IsIdsOrNull = (maxItems: number) =>
  ValidateBy({
    name: 'isIdsOrNull',
    validator: {
      validate: (value: unknown) =>
        Array.isArray(value) &&
        value.length <= maxItems &&
        value.every((item) => item === null || (typeof item === 'string' && item !== '')),
      defaultMessage: () => `must be an array of at most ${maxItems} non-empty strings or null`,
    },
  });

/** An array of one or more of these words, or also of none, without repetition. */
export function IsSomeOf(words: readonly string[], { orNone = false } = {}): PropertyDecorator {
  const message = `must be an array of ${orNone ? 'some' : 'one or more'} of ${words.join(', ')}, none twice`;
  return applyDecorators(
    IsArray({ message }),
    ArrayMinSize(orNone ? 0 : 1, { message }),
    ArrayMaxSize(words.length, { message }),
    ArrayUnique({ message }),
    IsIn([...words], { each: true, message }),
  );
}

/** The rule's name, by which the pipe finds the bound. */
export const IS_ONE_OR_MANY = 'isOneOrMany';

/** One nested DTO, whose path is such as `to.phone`, or an array of them, such as `to[3].phone`. */
export const IsOneOrMany = (itemsMax: number, what: string) =>
  ValidateBy({
    name: IS_ONE_OR_MANY,
    constraints: [itemsMax],
    validator: {
      validate: (value: unknown) =>
        Array.isArray(value)
          ? value.length >= 1 && value.length <= itemsMax
          : typeof value === 'object' && value !== null,
      defaultMessage: () => `must be a ${what} object, or an array of 1 to ${itemsMax} of them`,
    },
  });

const ISO_TIME = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether a day is in the calendar; `Date.parse` takes 30 February for 2 March. */
function isDay(day: string): boolean {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** Whether a value is an ISO 8601 time with its offset. */
export function isTime(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const [, day] = ISO_TIME.exec(value) ?? [];
  return day !== undefined && isDay(day) && Date.parse(value) <= LAST_TIME;
}

export const NO_TIME = 'must be an ISO 8601 time, such as 2030-01-31T12:00:00Z';

/**
 * An ISO 8601 time with its offset. The database decides whether it is in the future; a process's clock may be wrong.
 */
export const IsTime = () =>
  ValidateBy({ name: 'isTime', validator: { validate: isTime, defaultMessage: () => NO_TIME } });

/** A credential, which is sent unchanged in a header: printable ASCII without blanks, of a bounded length. */
export const IsSecret = (maxLength: number) =>
  ValidateBy({
    name: 'isSecret',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && value.length <= maxLength && /^[\x21-\x7e]+$/.test(value),
      defaultMessage: () => `must be at most ${maxLength} printable ASCII characters without blanks`,
    },
  });
