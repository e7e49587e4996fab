import { StartError } from '@app/contracts/coded.errors';
import { parseEnvironment, processVariables } from './settings-config';

type Limit = number | readonly number[];

const LARGEST = 2_147_483_647;
const isNumber = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= LARGEST;
const isList = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isNumber);

/** What the registered limits are, by `group.name`. */
const kinds = new Map<string, 'number' | 'list'>();
let given: Record<string, unknown> | null = null;

/** One that cannot be read has no effect here: whoever reads all settings refuses it. */
function readGiven(): Record<string, unknown> {
  try {
    return parseEnvironment({ PROCESS_LIMITS: processVariables().PROCESS_LIMITS ?? '' }).PROCESS_LIMITS ?? {};
  } catch {
    return {};
  }
}

/**
 * Limits of this process, as code says them or as `PROCESS_LIMITS` has them instead. Tests have short ones, so that they
 * need not wait for what takes its time in production.
 * @param limits what holds in production, with units in the names
 */
export function processLimits<Limits extends { [Name in keyof Limits]: Limit }>(
  group: string,
  limits: Limits,
): Limits {
  given ??= readGiven();
  const own: Record<string, Limit> = { ...limits };
  for (const [name, limit] of Object.entries<Limit>(limits)) {
    const full = `${group}.${name}`;
    const kind = typeof limit === 'number' ? 'number' : 'list';
    kinds.set(full, kind);
    if (full in given && isOf(kind, given[full])) own[name] = given[full] as Limit;
  }
  return own as Limits;
}

const isOf = (kind: 'number' | 'list', value: unknown): boolean =>
  kind === 'number' ? isNumber(value) : isList(value);

/**
 * To be called when all limits are registered: when the code that has them is loaded.
 * @throws StartError for limits of `PROCESS_LIMITS` that do not exist, or have a value that none can have
 */
export function checkProcessLimits(): void {
  const violations = Object.entries(given ?? {}).flatMap(([name, value]) => {
    const kind = kinds.get(name);
    if (!kind) return [`PROCESS_LIMITS has "${name}", and there is no such limit`];
    const what = kind === 'number' ? 'a whole number' : 'a list of whole numbers';
    return isOf(kind, value) ? [] : [`PROCESS_LIMITS must have ${what} from 0 to ${LARGEST} for "${name}"`];
  });
  if (violations.length > 0) throw new StartError(violations.join('\n'));
}
