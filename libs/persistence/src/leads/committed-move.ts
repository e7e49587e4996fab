import type { Actor, StatusSetBy } from '@app/contracts/lead.words';
import { cardOf } from '../threads/card-columns';
import type { CommittedEvent } from '../threads/thread-event';
import type { TogetherOutcome } from './move-together.statements';

/** Who moved which thread, and when the statement began. */
interface Mover {
  accountId: string;
  threadId: string;
  setBy: StatusSetBy;
  actor: Actor | null;
  requestId?: string | null;
  begunAt: number;
}

/** The event of a move from what its own statement returned; undefined when the thread did not move. */
export function committedMove(
  row: TogetherOutcome,
  { accountId, threadId, setBy, actor, requestId = null, begunAt }: Mover,
): CommittedEvent | undefined {
  const { seq, version, card: json } = row;
  if (seq === null || version === null) return undefined;
  if (!json) return { seq, accountId, threadId, version, begunAt, told: null };
  const { stage_id: to, stage_name: name, stage_kind: kind, stage_order: order } = row;
  const card = cardOf(json, { status_name: name, status_kind: kind, status_order: order });
  return {
    ...{ seq, accountId, threadId, version, begunAt },
    told: {
      ...{ seq, account_id: accountId, thread_id: threadId, assistant_id: card.assistant_id },
      ...{ event_version: version, type: 'status', at: card.last_activity_at, by: setBy, actor },
      request_id: requestId,
      ...{ from_value: row.from_status, to_value: to, to_name: name, to_kind: kind, to_order: order },
      card,
    },
  };
}
