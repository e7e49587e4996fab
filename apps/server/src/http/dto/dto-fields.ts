import { defaultMetadataStorage } from 'class-transformer/cjs/storage';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata';
import { IS_ONE_OR_MANY, IS_LONG_TEXT } from './dto.decorator';

type Bound = (rule: string) => unknown;

/**
 * What a field must be, by the first of these rules that it has. class-validator's texts would differ with each
 * broken rule.
 */
const MESSAGES: Record<string, (bound: Bound) => string> = {
  isBoolean: () => 'must be the JSON boolean true or false, nothing that resembles one',
  isInt: (bound) => `must be a whole number from ${String(bound('min'))} to ${String(bound('max'))}`,
  isIn: (bound) => `must be one of ${(bound('isIn') as string[]).join(', ')}`,
  isUuid: () => 'must be a UUID',
  isObject: () => 'must be an object',
  isNotEmpty: (bound) => `must be a non-empty string${atMost(bound)}`,
  isString: (bound) => `must be a string${atMost(bound)}`,
};

function atMost(bound: Bound): string {
  const longest = (bound('maxLength') ?? bound(IS_LONG_TEXT)) as number | undefined;
  return longest === undefined ? '' : ` of at most ${longest} characters`;
}

/** The message of a field with these rules; undefined when a rule has its own message, or none is known here. */
function messageOf(rules: ValidationMetadata[]): string | undefined {
  if (rules.some(({ message }) => message)) return undefined;
  const find = (name: string) => rules.find((rule) => rule.name === name);
  const known = Object.keys(MESSAGES).find(find);
  return known && MESSAGES[known]?.((name) => find(name)?.constraints[0] as unknown);
}

export type DtoClass = new () => object;

/** The rules of one field of a DTO, from its decorators. */
export interface DtoField {
  name: string;
  /** The message for a wrong value; undefined when the rules have messages. */
  message: string | undefined;
  isArray: boolean;
  /** Most items of an array; Infinity when no rule bounds it. */
  itemsMax: number;
  /** For `@ValidateNested`: the class that `@Type` names, and whether the field is always an array of them. */
  nested: { dtoClass: DtoClass; each: boolean } | undefined;
}

const known = new WeakMap<DtoClass, Map<string, DtoField>>();

/** The fields for which a DTO has rules, by their names. Other fields of a body are ignored. */
export function fieldsOf(dtoClass: DtoClass): Map<string, DtoField> {
  const found = known.get(dtoClass);
  if (found) return found;
  const rules = getMetadataStorage().getTargetValidationMetadatas(dtoClass, '', true, false);
  const names = new Set(rules.map(({ propertyName }) => propertyName));
  const rulesOf = (name: string) => rules.filter(({ propertyName }) => propertyName === name);
  const fields = new Map([...names].map((name) => [name, toField(dtoClass, name, rulesOf(name))]));
  known.set(dtoClass, fields);
  return fields;
}

function toField(dtoClass: DtoClass, name: string, rules: ValidationMetadata[]): DtoField {
  const bound = rules.find((rule) => rule.name === 'arrayMaxSize' || rule.name === IS_ONE_OR_MANY);
  const nesting = rules.find(({ type }) => type === String(ValidationTypes.NESTED_VALIDATION));
  const type = nesting && defaultMetadataStorage.findTypeMetadata(dtoClass, name);
  return {
    name,
    message: messageOf(rules),
    isArray: rules.some((rule) => rule.name === 'isArray'),
    itemsMax: Number(bound?.constraints[0] ?? Infinity),
    nested: nesting && type && { dtoClass: type.typeFunction(), each: nesting.each },
  };
}
