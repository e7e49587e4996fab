import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata';
import { IS_LONG_TEXT } from './dto.decorators';

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
export function messageOf(rules: ValidationMetadata[]): string | undefined {
  if (rules.some(({ message }) => message)) return undefined;
  const find = (name: string) => rules.find((rule) => rule.name === name);
  const known = Object.keys(MESSAGES).find(find);
  return known && MESSAGES[known]?.((name) => find(name)?.constraints[0] as unknown);
}
