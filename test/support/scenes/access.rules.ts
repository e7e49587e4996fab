import { OPERATIONS, type AccessRule } from '@app/domain/accounts/access.table';
import type { Answer } from '../clients/api.client';
import {
  callOf,
  KINDS,
  missing,
  type AccessScene,
  type Cell,
  type Named,
  type Principal,
} from './access.matrix';

export type Outcome = 'unknown' | 'forbidden' | 'confirm' | 'in';

/** By the table of operations, read as data. */
export function tableSays({ type, scopes, role, confirmed }: Principal, { name }: Cell): Outcome {
  const rule: AccessRule | undefined = OPERATIONS[name as keyof typeof OPERATIONS];
  if (!rule) throw new Error(`no operation of the table is called ${name}`);
  if (type === 'nobody') return 'unknown';
  if (type === 'key') return rule.scopes.some((scope) => scopes.includes(scope)) ? 'in' : 'forbidden';
  if (rule.role !== 'operator' && rule.role !== role) return 'forbidden';
  return rule.confirmed && !confirmed ? 'confirm' : 'in';
}

/** What an operator reads of the administration: lists and single things, but nothing below them. */
const OPERATORS_READ =
  /^GET \/api\/v1\/admin\/(assistants|statuses|bots|templates|scenarios|scenario-runs)(\/\{id\})?$/;
/** Of dialogs: keys for leads may call them too. */
const OF_BOTH = /\/messages\/(get-threads|get-messages)$/;
/** Keys, people, secrets and exports (contract, section 9), and where events go. */
const NEED_PASSWORD =
  /^(?!GET ).* \/api\/v1\/admin\/(api-keys|users)\b|^(POST|PATCH) .*\/webhook-endpoints(\/\{id\})?$|rotate-secret$|\/export$/;

/** By the contract, written down here without the table. */
export function contractSays({ type, scopes, role, confirmed }: Principal, { title, path }: Cell): Outcome {
  if (type === 'nobody') return 'unknown';
  const [, area] = /^\/api\/v1\/(\w+)\//.exec(path) ?? [];
  const allowed: Record<string, string[]> = {
    leads: ['leads', 'operator', 'admin of an account'],
    messages: ['messages', 'operator', 'admin of an account', ...(OF_BOTH.test(path) ? ['leads'] : [])],
    auth: ['operator', 'admin of an account'],
    admin: ['admin', 'admin of an account', ...(OPERATORS_READ.test(title) ? ['operator'] : [])],
  };
  const may = title === 'POST /api/v1/admin/accounts' ? ['admin'] : (allowed[area ?? ''] ?? []);
  const is = type === 'key' ? scopes : [role === 'admin' ? 'admin of an account' : 'operator'];
  if (!is.some((word) => may.includes(word))) return 'forbidden';
  return type === 'person' && !confirmed && NEED_PASSWORD.test(title) ? 'confirm' : 'in';
}

function outcomeOf({ status, body }: Answer): Outcome {
  if (status === 401) return 'unknown';
  if (status !== 403) return 'in';
  return body.error.code === 'CONFIRM_REQUIRED' ? 'confirm' : 'forbidden';
}

export const isPublic = ({ name }: Cell): boolean => name === null;

/** What each of the operations that need a principal answers to it, changing nothing. */
export async function outcomesOf(
  scene: AccessScene,
  cells: Cell[],
  principal: Principal,
): Promise<Record<string, Outcome>> {
  const found: Record<string, Outcome> = {};
  const nothing = Object.fromEntries(
    Object.values(KINDS).map((kind) => [kind, missing(kind)]),
  ) as unknown as Named;
  const others = cells.filter((cell) => !isPublic(cell) && !cell.path.endsWith('/sign-out'));
  for (const cell of [...others, ...cells.filter(({ path }) => path.endsWith('/sign-out'))]) {
    const { path } = callOf(cell, nothing);
    const body = cell.sample ? { nobody_knows_this_field: true } : undefined;
    found[cell.title] = outcomeOf(await scene.call(principal, cell, path, body));
  }
  return found;
}

export const by = (
  says: (principal: Principal, cell: Cell) => Outcome,
  principal: Principal,
  cells: Cell[],
): Record<string, Outcome> =>
  Object.fromEntries(
    cells.filter((cell) => !isPublic(cell)).map((cell) => [cell.title, says(principal, cell)]),
  );
