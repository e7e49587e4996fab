import { MessageDispatcher } from '@app/domain/messages/dispatch/message-dispatcher.service';
import { GuardedConnection } from '@app/integrations/http-tools/guarded-connection';
import { CallBatcher } from '@app/persistence/database/call-batcher';
import { WRITE } from '@app/persistence/scenarios/runs/dialog-writer';
import { CLAIM } from '@app/persistence/scenarios/runs/run-queue.repository';
import type { Client } from 'pg';
import { nameOf, override, overrideQueries, report, valueOf, type GivenQuery } from './fault.injection';

/** Where a dialog is held. */
export interface HeldPoint {
  threadId: string;
  phone: string;
  step: number;
  at: string;
}

/** The boundaries that a transaction comes to which writes this of a dialog's runs. */
function boundariesOf({ step }: HeldPoint, written: GivenQuery): string[] {
  const read = (parameter: 'dialogs' | 'runs'): unknown =>
    JSON.parse(String(valueOf(written, WRITE, parameter)));
  const [dialog] = read('dialogs') as { permit_ms: number | null }[];
  const noted = (read('runs') as { progress: { index: number; finished_at?: string }[] }[])
    .flatMap(({ progress }) => progress)
    .find(({ index }) => index === step);
  if (noted?.finished_at) return ['settled'];
  return noted && dialog && dialog.permit_ms !== null ? ['begun', 'permit'] : ['begun'];
}

/**
 * The process serves the runs of the given dialogs only, and holds each one at a boundary of one of its steps, until
 * SIGCONT. What is held is reported. One that is held keeps its connection and its account's slot, so the process needs
 * more of both than it has by default.
 */
export function inject({ points }: { points: readonly HeldPoint[] }): void {
  const byThread = new Map(points.map((point) => [point.threadId, point]));
  const byPhone = new Map(points.map((point) => [point.phone, point]));
  const came = new Set<HeldPoint>();
  const held: (() => void)[] = [];
  let isOver = false;
  process.on('SIGCONT', () => {
    isOver = true;
    for (const goOn of held.splice(0)) goOn();
  });

  /** Holds a dialog that has come to its boundary. */
  function hold(point: HeldPoint | undefined, ...boundaries: string[]): Promise<void> {
    if (isOver || !point || came.has(point) || !boundaries.includes(point.at)) return Promise.resolve();
    came.add(point);
    report('held', point.threadId);
    return new Promise((goOn) => held.push(goOn));
  }

  // Each dialog alone, for one that is held holds up all that share its statement.
  override(
    CallBatcher.prototype,
    'call',
    () =>
      async function (this: CallBatcher<unknown, unknown>, call) {
        return (await this['batched'].act([call]))[0];
      },
  );

  const pointOf = (given: GivenQuery, statement: typeof CLAIM | typeof WRITE): HeldPoint | undefined =>
    byThread.get((valueOf(given, statement, 'threadIds') as string[])[0] ?? '');
  /** What the transaction of a connection has written. */
  const writing = new WeakMap<Client, GivenQuery>();
  overrideQueries((client, { given, answered, make }) => {
    if (nameOf(given) === CLAIM.name && answered) {
      const point = pointOf(given, CLAIM);
      // One that is held is not claimed anew when its lease is over: it would go beyond its boundary.
      const isServed = point && (isOver || !came.has(point));
      if (!isServed) return void setImmediate(() => answered(null, { rows: [] }));
      return make((error, result) => {
        const claimed = !error && (result?.rows.length ?? 0) > 0;
        void (claimed ? hold(point, 'after claim') : Promise.resolve()).then(() => answered(error, result));
      });
    }
    if (nameOf(given) === WRITE.name) writing.set(client, given);
    const written = given === 'COMMIT' ? writing.get(client) : undefined;
    if (!written) return make();
    writing.delete(client);
    const point = pointOf(written, WRITE);
    const at = (when: string): string[] =>
      (point ? boundariesOf(point, written) : []).map((boundary) => `${when} ${boundary}`);
    return hold(point, ...at('before'))
      .then(() => make())
      .then((result) => hold(point, ...at('after')).then(() => result));
  });

  /** The dialogs of messages whose outcome is not stored. */
  const dialogs = new Map<string, HeldPoint | undefined>();
  override(
    MessageDispatcher.prototype,
    'request',
    (own) =>
      async function (this: MessageDispatcher, open, attempt, message) {
        dialogs.set(attempt.id, byPhone.get(message.recipient));
        return own.call(this, open, attempt, message);
      },
  );
  override(
    MessageDispatcher.prototype,
    'keep',
    (own) =>
      async function (this: MessageDispatcher, queue, dispatched) {
        const point = dialogs.get(dispatched.attempt.id);
        await hold(point, 'after answer');
        await own.call(this, queue, dispatched);
        await hold(point, 'after outcome');
      },
  );
  override(
    GuardedConnection.prototype,
    'send',
    (own) =>
      async function (this: GuardedConnection, call) {
        const answer = await own.call(this, call);
        const { phone } = JSON.parse(String(call.body)) as { phone: string };
        await hold(byPhone.get(phone), 'after call');
        return answer;
      },
  );
}
