import type { BoardEvent, Card } from '@app/contracts/board-events';
import { Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { FilteredEvents, type CardJudge } from './filtered-events';

const event = (seq: number, threadId = `thread_${seq}`): BoardEvent =>
  ({
    event: 'card.updated',
    seq,
    thread_id: threadId,
    version: seq,
    card: { thread_id: threadId },
  }) as BoardEvent;

const ASKS: CardJudge['decide'] = () => null;

async function until(isTrue: () => boolean): Promise<void> {
  const end = performance.now() + 10_000;
  while (!isTrue()) {
    if (performance.now() > end) throw new Error('it did not come true');
    await sleep(10);
  }
}

let told: [number, boolean | undefined][];
let outdated: number;
let events: FilteredEvents;

function listen(judge: Omit<CardJudge, 'former'> & Partial<CardJudge>): FilteredEvents {
  told = [];
  outdated = 0;
  return (events = new FilteredEvents(
    { former: async () => [], ...judge },
    {
      happened: ({ seq, in_filter }) => told.push([seq, in_filter]),
      outdated: () => outdated++,
    },
  ));
}

beforeEach(() => void jest.spyOn(Logger.prototype, 'warn').mockImplementation());

afterEach(() => events.stop());

it('events whose cards decide are told at once, and stay behind earlier ones that the database is asked about', async () => {
  let answer = (_: boolean[]): void => undefined;
  listen({
    decide: ({ thread_id }) => (thread_id === 'thread_2' ? null : true),
    passing: () => new Promise((resolve) => (answer = resolve)),
  });
  events.take(event(1));
  expect(told).toEqual([[1, true]]);
  events.take(event(2));
  events.take(event(3));
  await until(() => (answer([false, true]), told.length === 3));
  expect(told).toEqual([
    [1, true],
    [2, false],
    [3, true],
  ]);
});

it('many events share a question', async () => {
  const asked: number[] = [];
  listen({
    decide: ASKS,
    passing: async (cards: readonly Card[]) => (asked.push(cards.length), cards.map(() => true)),
  });
  for (let seq = 1; seq <= 300; seq++) events.take(event(seq));
  await until(() => told.length === 300);
  expect(asked).toEqual([300]);
});

it('a database that is away loses no event', async () => {
  let isAway = true;
  listen({
    decide: ASKS,
    passing: async (cards) => {
      if (isAway) throw new Error('away');
      return cards.map(() => true);
    },
  });
  events.take(event(1));
  await sleep(200);
  expect(told).toEqual([]);
  isAway = false;
  await until(() => told.length === 1);
});

it('more events than are kept make the board open anew, once', async () => {
  listen({ decide: ASKS, passing: () => new Promise(() => undefined) });
  for (let seq = 1; seq <= 1_500; seq++) events.take(event(seq));
  expect([outdated, told]).toEqual([1, []]);
});

it('a verdict that changes after the last event is told with that event once more', async () => {
  let passes = false;
  listen({ decide: ASKS, passing: async (cards) => cards.map(() => passes) });
  events.take(event(1, 'thread_a'));
  events.take(event(2, 'thread_a'));
  await until(() => told.length === 2);
  passes = true;
  await until(() => told.length === 3);
  expect(told).toEqual([
    [1, false],
    [2, false],
    [2, true],
  ]);
});

it('a dialog that changed before the view was opened is told once, and again when its verdict changes', async () => {
  let passes = false;
  listen({
    decide: ASKS,
    passing: async (cards) => cards.map(() => passes),
    former: async () => [event(1, 'thread_a'), event(2, 'thread_a')],
  });
  await until(() => told.length === 1);
  passes = true;
  await until(() => told.length === 2);
  expect(told).toEqual([
    [2, false],
    [2, true],
  ]);
});

it('what happened before the view was opened does not come after what happened since, and is read until it can be', async () => {
  const reads: (() => Promise<BoardEvent[]>)[] = [
    async () => {
      throw new Error('away');
    },
    async () => [event(1, 'thread_a'), event(2, 'thread_b')],
  ];
  listen({
    decide: ASKS,
    passing: async (cards) => cards.map(() => true),
    former: () => reads.shift()!(),
  });
  events.take(event(3, 'thread_a'));
  await until(() => told.length === 2);
  expect(told).toEqual([
    [3, true],
    [2, true],
  ]);
});
