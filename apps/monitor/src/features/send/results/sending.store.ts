import { ApiError } from '@app/client/api.errors';
import type { BatchAnswer } from '@app/client/api-types';
import { useSyncExternalStore } from 'react';
import { queryClient } from '../../../shared/api/page-api';
import { session } from '../../../shared/session/session.store';
import { composing } from '../compose/composed.store';
import { handOver, isPassing, nameCustomers, untilSent, inParts } from './part-sender';
import type { SendOrder } from '../send-types';

/** What of the list that was put together is not sent. Kept with the tab, as the list was. */
export interface LeftOutRows {
  /** How many, and why, in the language of the page. */
  words: () => string[];
  /** Makes a file of those that can be mended; null: there are none. */
  faulty: (() => string) | null;
}

/** A list on its way to the service. It goes on while the person is on another page, and ends with the tab. */
export interface Sending {
  /**
   * - running, stopping;
   * - done: everything was handed over;
   * - stopped: by the person;
   * - refused: the service, or the provider's cashier, takes no more of it.
   */
  state: 'running' | 'stopping' | 'done' | 'stopped' | 'refused';
  total: number;
  leftOut: LeftOutRows;
  /** Recipients of the parts that the service has taken. */
  handedOver: number;
  /** Recipients of a part of which no answer tells whether it was taken. */
  unanswered: number;
  /** In order. */
  batchIds: readonly string[];
  /** What it waits for to pass, or why it was refused. */
  trouble: unknown;
  /** All of it has been seen, and stands in the address of the page. */
  isNoted: boolean;
}

let sending: Sending | null = null;
let stop = new AbortController();
/** Whoever began it has signed out. */
let isLeft = false;
const listeners = new Set<() => void>();

function change(next: Partial<Sending>): void {
  if (sending) sending = { ...sending, ...next };
  for (const listener of listeners) listener();
}

export const isUnderWay = (one: Sending | null): boolean =>
  one?.state === 'running' || one?.state === 'stopping';

/** The list of this tab, under way or ended last. */
export const useSending = (): Sending | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => sending,
  );

/** Where the answer of a list is kept for the page. */
export const batchKey = (id: string): readonly string[] => ['batch', id];

const keepOnPage = (event: BeforeUnloadEvent): void => event.preventDefault();

const isUnpaid = ({ results }: BatchAnswer): boolean =>
  results.some(({ error }) => error === 'BILLING_ERROR');

/** Sends a list, part by part. Only one at a time is under way. */
export async function startSending(order: SendOrder, leftOut: LeftOutRows): Promise<void> {
  if (isUnderWay(sending)) return;
  stop = new AbortController();
  isLeft = false;
  sending = {
    ...{ state: 'running', total: order.recipients.length, leftOut, handedOver: 0 },
    ...{ unanswered: 0, batchIds: [], trouble: null, isNoted: false },
  };
  change({});
  addEventListener('beforeunload', keepOnPage);
  try {
    await sendParts(order);
  } finally {
    removeEventListener('beforeunload', keepOnPage);
    if (isLeft) forgetSending();
  }
}

async function sendParts(order: SendOrder): Promise<void> {
  for (const part of inParts(order.recipients)) {
    if (stop.signal.aborted) return change({ state: 'stopped' });
    try {
      const answer = await handOver(order, part, sending?.batchIds ?? [], stop.signal, (trouble) =>
        change({ trouble }),
      );
      queryClient.setQueryData(batchKey(answer.batch_id), answer);
      change({
        handedOver: (sending?.handedOver ?? 0) + part.length,
        batchIds: [...(sending?.batchIds ?? []), answer.batch_id],
      });
      // From here on the list stands in the address.
      if (sending?.batchIds.length === 1)
        composing.change({ handText: '', file: null, phoneColumn: null, nameColumn: null });
      void nameCustomers(order, part);
      const isLast = sending?.handedOver === order.recipients.length;
      // The next part begins when nothing of this one is in line.
      const sent = isLast ? answer : await untilSent(answer, stop.signal);
      if (isUnpaid(sent) && !isLast) return change({ state: 'refused', trouble: new ApiError(unpaid) });
    } catch (error) {
      if (stop.signal.aborted)
        return change({ state: 'stopped', unanswered: isPassing(error) ? part.length : 0, trouble: null });
      return change({ state: 'refused', trouble: error });
    }
  }
  change({ state: 'done' });
}

const unpaid = {
  code: 'BILLING_ERROR',
  message: 'The provider was not paid.',
  status: 502,
  requestId: '',
} as const;

/** The list that has ended has its address. From then on `/send` is for the next one. */
export function noteSending(): void {
  if (sending && !isUnderWay(sending)) change({ isNoted: true });
}

/** The page shows it no more. */
export function forgetSending(): void {
  if (isUnderWay(sending)) return;
  sending = null;
  change({});
}

/** No further part is handed over. What was, goes out: the service has it. */
export function stopSending(): void {
  if (sending?.state !== 'running') return;
  change({ state: 'stopping' });
  stop.abort();
}

session.subscribe(() => {
  if (session.state().status !== 'out') return;
  // Whoever signs in next does not go on with it in their own name, and does not see whom it was for.
  isLeft = true;
  removeEventListener('beforeunload', keepOnPage);
  stopSending();
  forgetSending();
});
