import { CLAIM as REPLY } from '@app/persistence/agent/reply.statements';
import { LOCK_IF_FREE as FIGURES } from '@app/persistence/figures/position.statements';
import { CLAIM as FILE } from '@app/persistence/messages/dialog/fetched-media.repository';
import { CLAIM as TRANSCRIPT } from '@app/persistence/messages/dialog/transcript.repository';
import { TAKE as SEND_QUEUE } from '@app/persistence/messages/batches/send-queue.repository';
import { CLAIM as RETENTION } from '@app/persistence/privacy/retention.repository';
import { MOVE_OUT as ARCHIVED_STAGE } from '@app/persistence/scenarios/stages/archived-stage.repository';
import { CLAIM as SCENARIO_QUEUE } from '@app/persistence/scenarios/runs/run-queue.repository';
import { TAKE_MESSAGES as SEARCHED } from '@app/persistence/threads/thread-search.statements';
import { CLAIM as IMPORT } from '@app/persistence/transfer/import-work.statements';
import { CLAIM_DUE as WEBHOOK } from '@app/persistence/webhooks/webhook-delivery.statements';
import { CLAIM as ENDPOINT } from '@app/persistence/webhooks-out/endpoint-queue.statements';
import { Pool } from 'pg';
import { nameOf, override, overrideQueries, report, type GivenQuery } from './fault.injection';

const CLAIMS = new Set<string | undefined>(
  [
    ...[REPLY, SEND_QUEUE, WEBHOOK, FILE, SCENARIO_QUEUE, ENDPOINT],
    ...[TRANSCRIPT, ARCHIVED_STAGE, SEARCHED, RETENTION, FIGURES, IMPORT],
  ].map(({ name }) => name),
);

interface Claimed {
  rows: { body?: Buffer }[];
}

type Ask = (given: GivenQuery, ...rest: unknown[]) => Promise<Claimed>;

/**
 * A process that has claimed due work of the given account gets no answer to its claim, until SIGUSR2. So it may be killed
 * or frozen with the claim in its hands. Each claim is reported.
 */
export function inject({ accountId }: { accountId: string }): void {
  let goOn = (): void => undefined;
  const released = new Promise<void>((resolve) => (goOn = resolve));
  process.once('SIGUSR2', () => goOn());

  /** Webhooks are stored before anybody knows whose they are: the test writes the account's id into theirs. */
  const isOurs = (given: GivenQuery, rows: Claimed['rows']): boolean =>
    JSON.stringify([typeof given === 'object' && given.values, rows]).includes(accountId) ||
    rows.some(({ body }) => body?.includes(accountId));

  async function held(given: GivenQuery, asked: Promise<Claimed>): Promise<Claimed> {
    const result = await asked;
    if (result.rows.length > 0 && isOurs(given, result.rows)) {
      report('held', nameOf(given) ?? '');
      await released;
    }
    return result;
  }

  // The connection is free again where the claim is a statement by itself.
  override(
    Pool.prototype as unknown as { query: Ask },
    'query',
    (own) =>
      function (this: unknown, given, ...rest) {
        const asked = own.call(this, given, ...rest);
        return CLAIMS.has(nameOf(given)) ? held(given, asked) : asked;
      },
  );
  // In a transaction it stays with the one who has claimed.
  overrideQueries((_, { given, answered, make }) => {
    const asked = make();
    return CLAIMS.has(nameOf(given)) && !answered ? held(given, asked as Promise<Claimed>) : asked;
  });
}
