import { CodedError } from '@app/contracts/coded.errors';
import type { OutcomeRepository } from '@app/persistence/messages/delivery/outcome.repository';
import type { SendQueueRepository } from '@app/persistence/messages/batches/send-queue.repository';
import type { EventNotifier } from '../../events/event-notifier.service';
import type { OpenChannel } from './channel-connections.service';
import { ElapsedTime } from '../dispatch/elapsed-time';
import { MessageDispatcher } from '../dispatch/message-dispatcher.service';
import type { MessageSenders, SendOutcome } from '../dispatch/message-sender.port';
import type { BotTroubles } from '../delivery/bot-troubles.service';
import type { OptOuts } from '../dialog/opt-outs.service';
import { SendPacers } from '../dispatch/send-pacer';
import { SingleSending } from './single-sending.service';

const QUEUE = { accountId: 'account', botId: 'bot', channel: 'waba' } as const;
const OPEN: OpenChannel = {
  connection: { ...QUEUE, sender: '1', settings: {}, credential: '' },
  messagesPerSecond: 80,
};

const throttled = (scope: 'number' | 'recipient', retryAfterMs: number | null): SendOutcome => ({
  kind: 'throttled',
  scope,
  retryAfterMs,
  providerCode: 131056,
  message: 'too fast',
  response: null,
});

/** A service that sends to a provider whose answer this is, which gives it so many slots. */
function sendingTo(outcome: SendOutcome, pacers = new SendPacers(), slots = { free: 1 }) {
  const keepSlot = () => {
    if (slots.free === 0) return null;
    slots.free -= 1;
    return { release: () => void (slots.free += 1) };
  };
  const sender = { hasSlot: () => true, keepSlot, send: () => Promise.resolve(outcome) };
  const dispatcher = new MessageDispatcher(
    { of: () => sender } as unknown as MessageSenders,
    { storeTogether: () => Promise.resolve(true) } as unknown as OutcomeRepository,
    { pause: () => Promise.resolve() } as unknown as SendQueueRepository,
    {} as OptOuts,
    {} as BotTroubles,
    pacers,
    { notify: () => undefined } as unknown as EventNotifier,
  );
  return new SingleSending(dispatcher);
}

async function send(outcome: SendOutcome, pacers?: SendPacers) {
  const message = {
    id: 'id',
    thread_id: 'thread',
    recipient: '+7701',
    content: {},
    token: 'token',
    paused_ms: null,
  };
  const sending = sendingTo(outcome, pacers);
  const { stored, retryAfterSeconds } = await sending.send(
    OPEN,
    { ...message, claimed: new ElapsedTime() },
    sending.reserve(OPEN, message.recipient),
  );
  return { status: stored.status, retryAfterSeconds };
}

describe('a single message', () => {
  it.each<[string, SendOutcome, number | undefined]>([
    ['for which there is no place', { kind: 'no_slot', message: 'too many' }, 1],
    ['of a throttled number', throttled('number', 7_000), 7],
    ['of a number that may try again at once', throttled('number', 0), 1],
    ['whose provider is not there', { kind: 'not_connected', message: 'ECONNREFUSED' }, undefined],
  ])('%s fails, and its caller learns when to come again where that helps', async (_, outcome, seconds) => {
    expect(await send(outcome)).toEqual({ status: 'failed', retryAfterSeconds: seconds });
  });

  it('to a recipient whom the provider has paused makes the next ones to them wait, and no others', async () => {
    const pacers = new SendPacers();
    await send(throttled('recipient', 4_000), pacers);
    const pacer = pacers.of(QUEUE, OPEN.messagesPerSecond);
    expect(pacer.waitFor('+7701')).toBeGreaterThan(3_000);
    expect(pacer.waitFor('+7702')).toBe(0);
  });

  it('of a number that has all the requests under way that it can have is refused ahead, and takes none of its time', () => {
    const pacers = new SendPacers();
    const sending = sendingTo({ kind: 'accepted', providerId: 'p' }, pacers, { free: 0 });
    expect(refusalOf(() => sending.reserve(OPEN, '+7701'))).toEqual(['RATE_LIMITED', 1]);
    expect(pacers.of(QUEUE, 1).slotInMs('+7701')).toBe(0);
  });

  it('that would wait longer than 3 s for its number is refused ahead, and keeps no slot', () => {
    const slots = { free: 100 };
    const slow = { ...OPEN, messagesPerSecond: 1 };
    const sending = sendingTo({ kind: 'accepted', providerId: 'p' }, new SendPacers(), slots);
    const kept: unknown[] = [];
    const keep = () => kept.push(sending.reserve(slow, `+77${kept.length}`));
    while (kept.length < 4) keep();
    expect(refusalOf(keep)).toEqual(['RATE_LIMITED', 4]);
    expect([kept.length, slots.free]).toEqual([4, 96]);
  });
});

/** The code, and after how many seconds it says to try again. */
function refusalOf(act: () => unknown): [string, number | undefined] {
  try {
    act();
  } catch (error) {
    if (error instanceof CodedError) return [error.code, error.retryAfterSeconds];
    throw error;
  }
  throw new Error('it was not refused');
}
