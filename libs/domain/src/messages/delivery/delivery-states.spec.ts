import { setImmediate as tick } from 'node:timers/promises';
import type {
  DeliveryReport,
  DeliveryStateRepository,
  ParkedReport,
  ReportedMessage,
} from '@app/persistence/messages/delivery/delivery-state.repository';
import type { CustomerRepository } from '@app/persistence/messages/incoming/customer.repository';
import type { EventNotifier } from '../../events/event-notifier.service';
import { DeliveryStates } from './delivery-states.service';
import type { BotTroubles } from './bot-troubles.service';
import type { OptOuts } from '../dialog/opt-outs.service';
import type { UnpaidBatches } from '../batches/batch-progress.service';

const REPORTS = 64;
const AT_ONCE = 3;
const NUMBER = { accountId: 'a', botId: 'b', channel: 'waba' } as const;
const REPORT = { state: 'sent', reference: null, providerId: 'p', whatsappId: null, error: null } as const;

const reportOf = (optedOut: boolean): DeliveryReport => ({
  ...REPORT,
  at: null,
  arrival: { receivedAt: '2026-01-01T00:00:00Z', position: 0, webhook: '1', heldBy: 'token' },
  optedOut,
});

const messageOf = (identified: boolean): ReportedMessage => ({
  messageId: 'm',
  status: 'sent',
  batchId: null,
  logged: false,
  identified,
  teaches: false,
  ...REPORT,
});

/** Everything that takes a connection of its own is counted; the shared statement is not. */
function statesOf(applied: () => ReportedMessage | null, waiting: readonly ParkedReport[] = []) {
  const seen = { now: 0, most: 0, all: 0 };
  const counted =
    <T>(answer: T) =>
    async (): Promise<T> => {
      seen.all += 1;
      seen.most = Math.max(seen.most, (seen.now += 1));
      await tick();
      seen.now -= 1;
      return answer;
    };
  const repository = {
    applyTogether: async () => applied(),
    apply: counted(null),
    park: counted(undefined),
    parked: counted(waiting),
    unpark: counted(undefined),
  };
  const states = new DeliveryStates(
    repository as unknown as DeliveryStateRepository,
    { learn: counted(false) } as unknown as CustomerRepository,
    { toldByRefusal: counted(undefined) } as unknown as OptOuts,
    { stop: counted(undefined) } as unknown as UnpaidBatches,
    { mayBeOver: () => false } as unknown as BotTroubles,
    { notify: () => undefined } as unknown as EventNotifier,
  );
  return { states, seen };
}

const takeAll = (states: DeliveryStates, optedOut: boolean): Promise<unknown> =>
  Promise.all(Array.from({ length: REPORTS }, () => states.take(NUMBER, reportOf(optedOut))));

describe('Reports that come together', () => {
  it.each([
    ['of unknown messages', null, false, 2],
    ['of opt-outs', messageOf(false), true, 1],
    ['that name the message', messageOf(true), false, 1],
  ])(
    '%s take three connections at once beside the shared statement',
    async (_what, message, optedOut, each) => {
      const { states, seen } = statesOf(() => message);
      await takeAll(states, optedOut);
      expect(seen).toEqual({ now: 0, most: AT_ONCE, all: REPORTS * each });
    },
  );

  it('wait for no slot of their own when a report that waited follows up', async () => {
    let asked = 0;
    // Each report is applied and then the one that waited for it, which refuses by opt-out.
    const { states, seen } = statesOf(
      () => messageOf((asked += 1) <= REPORTS),
      [{ id: '1', report: reportOf(true) }],
    );
    await takeAll(states, false);
    expect(seen).toEqual({ now: 0, most: AT_ONCE, all: REPORTS * 3 });
  });

  it('that change nothing further wait for no slot', async () => {
    const { states, seen } = statesOf(() => messageOf(false));
    await takeAll(states, false);
    expect(seen.all).toBe(0);
  });
});
