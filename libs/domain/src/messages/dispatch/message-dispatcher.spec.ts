import { DatabaseUnavailableError } from '@app/persistence/database/database.errors';
import type { SendQueueRepository } from '@app/persistence/messages/batches/send-queue.repository';
import type { OutcomeRepository } from '@app/persistence/messages/delivery/outcome.repository';
import type { EventNotifier } from '../../events/event-notifier.service';
import { dispatchedAs, MessageDispatcher } from './message-dispatcher.service';
import type { MessageSenders, SendOutcome } from './message-sender.port';
import type { BotTroubles } from '../delivery/bot-troubles.service';
import type { OptOuts } from '../dialog/opt-outs.service';
import type { Attempt } from './send-outcome.rules';
import { SendPacers } from './send-pacer';

const QUEUE = { accountId: 'account', botId: 'bot', channel: 'waba' } as const;
const ATTEMPT: Attempt = {
  accountId: 'account',
  id: 'message',
  token: 'token',
  attempts: 1,
  waitedMs: 0,
  mayWait: true,
};
const OPTED_OUT: SendOutcome = {
  kind: 'refused',
  code: 'PROVIDER_ERROR',
  providerCode: 131050,
  message: 'stopped',
  response: null,
  optedOut: true,
};

/** What was done, in order. */
let done: string[];
/** What fails, the first time. */
let failing: Record<string, Error>;

function act(name: string): Promise<void> {
  const error = failing[name];
  Reflect.deleteProperty(failing, name);
  done.push(name);
  return error ? Promise.reject(error) : Promise.resolve();
}

function dispatcher(): MessageDispatcher {
  return new MessageDispatcher(
    {} as MessageSenders,
    { storeTogether: () => act('store').then(() => true) } as unknown as OutcomeRepository,
    {} as SendQueueRepository,
    {
      toldByRefusal: (_: object, id: string) => act(`opt out ${id}`),
    } as unknown as OptOuts,
    {} as BotTroubles,
    new SendPacers(),
    { notify: () => undefined } as unknown as EventNotifier,
  );
}

beforeEach(() => {
  done = [];
  failing = {};
});

describe('a refusal because the customer has opted out', () => {
  it('marks the dialog before the message is kept as failed', async () => {
    await dispatcher().keep(QUEUE, dispatchedAs(ATTEMPT, OPTED_OUT));
    expect(done).toEqual(['opt out message', 'store']);
  });

  it('marks it whatever becomes of keeping the outcome', async () => {
    failing.store = new Error('an error of ours');
    await expect(dispatcher().keep(QUEUE, dispatchedAs(ATTEMPT, OPTED_OUT))).rejects.toThrow(
      'an error of ours',
    );
    expect(done).toEqual(['opt out message', 'store']);
  });

  it('is kept though the dialog cannot be marked', async () => {
    failing['opt out message'] = new Error('an error of ours');
    await expect(dispatcher().keep(QUEUE, dispatchedAs(ATTEMPT, OPTED_OUT))).rejects.toThrow(
      'an error of ours',
    );
    expect(done).toEqual(['opt out message', 'store']);
  });

  it('is both, through an outage of the database', async () => {
    failing['opt out message'] = new DatabaseUnavailableError(null);
    failing.store = new DatabaseUnavailableError(null);
    await dispatcher().keep(QUEUE, dispatchedAs(ATTEMPT, OPTED_OUT));
    expect(done).toEqual(['opt out message', 'opt out message', 'store', 'store']);
  });
});
