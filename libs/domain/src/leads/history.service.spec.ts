import type { HistoryRepository, HistoryRow } from '@app/persistence/leads/history.repository';
import { personOf, principalOf, type Principal } from '../accounts/principal.rules';
import { HistoryService } from './history.service';

const THREAD = 'thread_01930000-0000-7000-8000-000000000001';

const entry = (seq: number, type: HistoryRow['type'], note: string): HistoryRow => ({
  ...{
    seq,
    type,
    note,
    at: new Date(0),
    by: 'AI',
    actor: null,
    request_id: null,
    cause: null,
    provider_code: null,
  },
  ...{ from_word: null, to_word: null, from_stage: null, to_stage: null, from_person: null, to_person: null },
});

const service = new HistoryService({
  page: () =>
    Promise.resolve([entry(2, 'model_error', 'no such model'), entry(1, 'attention', 'It failed.')]),
} as unknown as HistoryRepository);

const person = (role: 'admin' | 'operator'): Principal =>
  personOf({ account_id: 'account', assistant_ids: [], role } as unknown as Parameters<typeof personOf>[0]);
const key = principalOf(
  { account_id: 'account', assistant_ids: [], scopes: ['leads'] } as unknown as Parameters<
    typeof principalOf
  >[0],
  Buffer.alloc(0),
);

it.each([
  ['an admin', person('admin'), 'no such model'],
  ['an operator', person('operator'), undefined],
  ['a key', key, undefined],
])('what the server of a model said is told to admins alone: %s', async (_, by, words) => {
  const { entries } = await service.getHistory(by, THREAD, null, 50);
  expect(entries.map(({ type, note }) => [type, note])).toEqual([
    ['model_error', words],
    ['attention', 'It failed.'],
  ]);
});
