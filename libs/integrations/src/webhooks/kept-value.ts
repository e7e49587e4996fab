import { cleanText } from './clean-text';

const TEXT_LENGTH_MAX = 2_048;
const NAME_LENGTH_MAX = 64;
const LEVELS_MAX = 5;

/**
 * A value of a provider that we do not know, in a form that the database accepts: clean, and of a few levels.
 * @returns null where nothing is left of it
 */
export function keptValue(value: unknown, levels = LEVELS_MAX): unknown {
  if (typeof value === 'string') return value === '' ? null : cleanText(value, TEXT_LENGTH_MAX);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null || levels === 0) return null;
  if (Array.isArray(value)) {
    const items = value.map((item) => keptValue(item, levels - 1)).filter((item) => item !== null);
    return items.length > 0 ? items : null;
  }
  const fields = Object.entries(value).flatMap(([name, inner]) => {
    const kept = name === '__proto__' ? null : keptValue(inner, levels - 1);
    return kept === null ? [] : [[cleanText(name, NAME_LENGTH_MAX), kept] as const];
  });
  return fields.length > 0 ? Object.fromEntries(fields) : null;
}
