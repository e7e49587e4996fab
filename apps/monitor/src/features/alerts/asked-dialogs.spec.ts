import type { Card, PresentUser } from '@app/contracts/board-events';
import { card } from '../../../testing/page-answers';
import { AskedDialogs } from './asked-dialogs';

const ASKED = {
  attention: { reason: 'hand_over', note: null, provider_code: null, since: '2026-03-02T08:00:00.000Z' },
} as const;

let version = 1;
const dialog = (id: string, given: Partial<Card> = {}): Card =>
  card({ thread_id: id, version: (version += 1), ...given });

const here = (...ids: string[]): Map<string, PresentUser[]> =>
  new Map(ids.map((id) => [id, [{ id: 'dana', name: 'Дана', typing: false }]]));

/** One that has read its first list. */
function begun(...cards: Card[]): AskedDialogs {
  const asked = new AskedDialogs();
  expect(asked.takeList(cards)).toEqual({ begun: [], ended: [] });
  return asked;
}

describe('dialogs in which a person is asked for', () => {
  it('are counted from the first list on, and tell of nothing that was so before', () => {
    const asked = begun(dialog('a', ASKED), dialog('b', ASKED));
    expect(asked.number).toBe(2);
    expect(asked.take(dialog('a', ASKED)).begun).toEqual([]);
  });

  it('are told of once, and again only after they were seen to', () => {
    const asked = begun();
    const first = dialog('a', ASKED);
    expect(asked.take(first).begun).toEqual([first]);
    expect(asked.take(dialog('a', ASKED)).begun).toEqual([]);
    expect(asked.take(dialog('a'))).toEqual({ begun: [], ended: ['a'] });
    expect(asked.number).toBe(0);
    expect(asked.take(dialog('a', ASKED)).begun).toHaveLength(1);
  });

  it('are told of when the AI does not answer after all', () => {
    const asked = begun();
    const waits = { ...ASKED, waiting: true };
    expect(asked.take(dialog('a', { ...waits, waiting_reason: 'agent_due' })).begun).toEqual([]);
    expect(asked.take(dialog('a', { ...waits, waiting_reason: 'model_failed' })).begun).toHaveLength(1);
  });

  it('are those whose customer waits, too, but while the AI is about to answer', () => {
    const waits = (reason: Card['waiting_reason']) => ({ waiting: true, waiting_reason: reason });
    const asked = begun(dialog('a', waits('agent_off')));
    expect(asked.number).toBe(1);
    const calls = dialog('b', waits('takeover'));
    expect(asked.take(dialog('b', waits('agent_due'))).begun).toEqual([]);
    expect(asked.number).toBe(1);
    expect(asked.take(calls).begun).toEqual([calls]);
    expect(asked.number).toBe(2);
    expect(asked.take(dialog('b', { ...waits('takeover'), ...ASKED })).begun).toHaveLength(1);
    expect(asked.take(dialog('b', { ...waits('takeover'), ...ASKED })).begun).toEqual([]);
    expect(asked.take(dialog('b'))).toEqual({ begun: [], ended: ['b'] });
    expect(asked.number).toBe(1);
  });

  it('are counted where a list does not have them all, and the number is read again when it may have changed', () => {
    const asked = new AskedDialogs();
    asked.takeList([dialog('a', ASKED)], 300);
    expect([asked.number, asked.isUnsure]).toEqual([300, false]);
    asked.take(dialog('a'));
    expect([asked.number, asked.isUnsure]).toEqual([299, false]);
    // It may have been among the others.
    asked.take(dialog('b'));
    expect(asked.isUnsure).toBe(true);
    asked.takeList([dialog('c', ASKED)], 298);
    expect([asked.number, asked.isUnsure]).toEqual([298, false]);
    asked.takePresent(here('c'));
    expect([asked.number, asked.isUnsure]).toEqual([297, false]);
    asked.takePresent(here('c', 'd'));
    expect(asked.isUnsure).toBe(true);
    asked.takeList([dialog('c', ASKED), dialog('d', ASKED)], 298);
    expect([asked.number, asked.isUnsure]).toEqual([296, false]);
  });

  it('go when somebody opens them, are counted again when nobody sees to them, and are not told of twice', () => {
    const asked = begun();
    asked.take(dialog('a', ASKED));
    expect(asked.takePresent(here('a'))).toEqual({ begun: [], ended: ['a'] });
    expect(asked.number).toBe(0);
    expect(asked.takePresent(here()).begun).toEqual([]);
    expect(asked.number).toBe(1);
  });

  it('are told to nobody while somebody has them open', () => {
    const asked = begun();
    asked.takePresent(here('a'));
    expect(asked.take(dialog('a', ASKED)).begun).toEqual([]);
    expect(asked.number).toBe(0);
  });

  it('are as the newer says where a list and an event cross', () => {
    const asked = begun();
    const [older, newer] = [dialog('a', ASKED), dialog('a')];
    asked.expectList();
    asked.take(newer);
    expect(asked.takeList([older]).begun).toEqual([]);
    expect(asked.number).toBe(0);
    expect(asked.takeList([dialog('b', ASKED)]).begun).toHaveLength(1);
  });

  it('are none before the first list came', () => {
    const asked = new AskedDialogs();
    expect(asked.take(dialog('a', ASKED)).begun).toEqual([]);
    expect(asked.takeList([]).begun).toEqual([]);
  });
});
