import type { AttentionReason } from '@app/contracts/lead.words';
import type { CardRow } from '@app/persistence/threads/card-columns';
import { presentCard } from './lead.presenter';
import type { ReplyAbility } from './reply-ability';

const at = new Date('2026-03-02T08:00:00.000Z');

const asking = (attention: AttentionReason): CardRow =>
  ({
    ...{ id: '01930000-0000-7000-8000-000000000001', channel: 'waba', created_at: at, last_activity_at: at },
    ...{ attention, attention_note: null, attention_since: at, attention_provider_code: 131047 },
  }) as unknown as CardRow;

it.each<[AttentionReason, number | null]>([
  ['scenario', 131047],
  ['not_delivered', 131047],
  ['model', null],
  ['missed_call', null],
])(
  'the number of an earlier refusal, which a former version leaves, is told of no other reason: %s',
  (reason, number) =>
    expect(presentCard(asking(reason), { hasModel: true } as ReplyAbility).attention).toEqual({
      ...{ reason, note: null, provider_code: number, since: at.toISOString() },
    }),
);
