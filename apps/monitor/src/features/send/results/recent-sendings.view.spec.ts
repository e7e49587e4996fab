import type { ListedBatchAnswer } from '@app/client/api-types';
import { recentSendings } from './recent-sendings.view';

const part = (id: string, second: number, given: Partial<ListedBatchAnswer> = {}): ListedBatchAnswer => ({
  ...{
    batch_id: id,
    bot_id: 'bot-1',
    channel: 'waba',
    total: 100,
    sent: 90,
    failed: 5,
    queued: 3,
    unknown: 2,
  },
  template: { template_id: 'news', name: 'news', language: 'en' },
  author: { id: 'person-1', name: 'Dana' },
  created_at: new Date(Date.UTC(2026, 2, 2) + second * 1_000).toISOString(),
  ...given,
});
const idsOf = (parts: ListedBatchAnswer[]) => recentSendings(parts).map(({ batchIds }) => batchIds);

describe('recent sendings', () => {
  it('have the parts of a list in the order in which they were sent, counted together', () => {
    expect(
      recentSendings([part('3', 130, { total: 7, sent: 7, failed: 0 }), part('2', 20), part('1', 0)]),
    ).toEqual([
      {
        ...{ batchIds: ['1', '2', '3'], at: part('1', 0).created_at },
        ...{ template: part('1', 0).template, author: part('1', 0).author },
        ...{ total: 207, sent: 187, failed: 10, queued: 9, unknown: 6 },
      },
    ]);
  });

  it.each<[string, number, Partial<ListedBatchAnswer>]>([
    ['another person', 10, { author: { id: 'person-2', name: 'Dana' } }],
    ['another template', 10, { template: { template_id: 'x', name: 'x', language: 'en' } }],
    ['another language', 10, { template: { template_id: 'news', name: 'news', language: 'ru' } }],
    ['another number', 10, { bot_id: 'bot-2' }],
    ['another channel', 10, { channel: 'waba_coexistence' }],
    ['another time', 121, {}],
    ['a list that is larger than the one before', 10, { total: 101 }],
  ])('are two where there is %s', (_, second, given) => {
    expect(idsOf([part('2', second, given), part('1', 0)])).toEqual([['2'], ['1']]);
  });

  it('are two where the first was a try', () => {
    expect(idsOf([part('2', 10, { total: 1 }), part('1', 0, { total: 1 })])).toEqual([['2'], ['1']]);
  });

  it('of other systems are each by itself', () => {
    expect(idsOf([part('2', 1, { author: null }), part('1', 0, { author: null })])).toEqual([['2'], ['1']]);
  });
});
