import { formatThreadId } from '@app/contracts/uuid.format';
import { Webhook } from 'standardwebhooks';
import type { ErrandKey } from './errand';

/** Headers that the service sets for every call of a scenario. */
export const CALL_HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
  idempotencyKey: 'idempotency-key',
  cause: 'leadline-cause',
} as const;

/** A header's value is one line of ASCII of bounded length, so a name is cut, and written in escapes of JSON. */
const NAME_SHOWN_MAX = 100;

/** The same for all tries of one step of one run, and for no other. */
export const callIdOf = ({ run, index }: Pick<ErrandKey, 'run' | 'index'>): string => `${run.id}_${index}`;

/**
 * The headers of a call by Standard Webhooks, and what began the run.
 * @param secrets each signs
 * @param at by the database's clock
 */
export function callHeaders(
  key: Pick<ErrandKey, 'run' | 'index' | 'threadId'>,
  body: string | null,
  secrets: readonly string[],
  at: Date,
): Record<string, string> {
  const id = callIdOf(key);
  return {
    [CALL_HEADERS.id]: id,
    [CALL_HEADERS.timestamp]: String(Math.floor(+at / 1_000)),
    [CALL_HEADERS.signature]: secrets.map((secret) => new Webhook(secret).sign(id, at, body ?? '')).join(' '),
    [CALL_HEADERS.idempotencyKey]: id,
    [CALL_HEADERS.cause]: causeOf(key),
  };
}

function causeOf({ run, threadId }: Pick<ErrandKey, 'run' | 'threadId'>): string {
  const { type, id, name } = run.cause;
  const cause = {
    ...{ type, id, name: [...name].slice(0, NAME_SHOWN_MAX).join('') },
    scenario_id: run.scenario_id,
    run_id: run.id,
    thread_id: formatThreadId(threadId),
    depth: run.depth,
  };
  return JSON.stringify(cause).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
