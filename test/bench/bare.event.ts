import type { CardMoved } from '@app/contracts/board-events';
import type { StageRef } from '@app/contracts/lead.words';

const ID = '0197e6a0-0000-7000-8000-000000000000';
const ACTOR = { type: 'key', id: ID, name: 'key 12345' } as const;

export interface Move {
  seq: number;
  threadId: string;
  assistantId: string;
  status: StageRef;
}

/**
 * The event that boards expect, of the same size as the service's. Fields that the bare server's statement does not
 * return are filled in, so that bytes on the wire and parsing cost the same.
 */
export function movedEvent({ seq, threadId, assistantId, status }: Move): CardMoved {
  const at = new Date().toISOString();
  const base = { thread_id: threadId, version: seq };
  const set = { status_set_by: 'SYSTEM', status_set_at: at } as const;
  return {
    ...base,
    seq,
    at,
    request_id: ID,
    from_status_id: ID,
    to_status_id: status.id,
    status,
    ...set,
    actor: ACTOR,
    card: {
      ...base,
      assistant_id: assistantId,
      bot_id: ID,
      channel: 'WABA',
      phone: '+77010012345',
      customer_name: 'Customer 12345',
      message_handler: 'AI',
      ai_enabled: true,
      opted_out: false,
      takeover_until: null,
      waiting: false,
      waiting_since: null,
      waiting_reason: null,
      window_until: at,
      lead_status: status,
      ...set,
      status_cleared_at: null,
      customer: { phone: '+77010012345', wa_id: null, user_id: null, username: null, phone_proven: false },
      same_customer: [],
      conducted_elsewhere: false,
      last_message: {
        role: 'AI',
        text: 'Good afternoon! Your order is ready, when would you like to receive it?',
        created_at: at,
      },
      unread_count: 0,
      attention: null,
      assignee: null,
      erased_at: null,
      created_at: at,
      updated_at: at,
    },
  };
}
