import type { LeadAnswer, ThreadAnswer } from '@app/client/api.types';
import type { Card } from '@app/contracts/board.events';
import { api } from '../../shared/api/page.api';
import { channelOf } from '../../shared/leads/channel.format';

/** How many pages of a stage are looked through for a dialog that no phone finds. */
const PAGES = 10;

/** The card of a dialog as it is now. No operation gives it by the dialog's id: lists find it by its phone. */
export async function readCard(threadId: string): Promise<Card> {
  const lead = await api.post('/api/v1/leads/get-lead', { body: { thread_id: threadId } });
  const byPhone = lead.phone === null ? undefined : await findByPhone(lead, lead.phone);
  const thread = byPhone ?? (await findAtStage(lead));
  // A thread has all that a card has.
  return thread ?? bareCard(lead, await erasedAt(threadId));
}

async function findByPhone(lead: LeadAnswer, phone: string): Promise<ThreadAnswer | undefined> {
  const { threads } = await api.post('/api/v1/messages/get-threads', {
    body: { assistant_id: lead.assistant_id, phones: [phone], limit: 200 },
  });
  return threads.find(({ thread_id: id }) => id === lead.thread_id);
}

/**
 * For dialogs that no phone leads to: an erased customer has none, nor has one whom the messenger names by an id of its own,
 * and a phone of two dialogs leads to one of them.
 */
async function findAtStage(lead: LeadAnswer): Promise<ThreadAnswer | undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < PAGES; page += 1) {
    const { threads, next_cursor: next } = await api.post('/api/v1/messages/get-threads', {
      body: {
        ...{ assistant_id: lead.assistant_id, status_id: lead.status?.id ?? null, limit: 200, cursor },
        ...{ message_handler: lead.message_handler, channel: channelOf(lead) },
      },
    });
    const found = threads.find(({ thread_id: id }) => id === lead.thread_id);
    if (found || next === null) return found;
    cursor = next;
  }
  return undefined;
}

async function erasedAt(threadId: string): Promise<string | null> {
  const { entries } = await api.post('/api/v1/leads/get-history', { body: { thread_id: threadId } });
  return entries.find(({ type }) => type === 'erased')?.at ?? null;
}

/** What the lead alone tells. The card of any event is newer. */
const bareCard = (lead: LeadAnswer, erased: string | null): Card => ({
  ...{ thread_id: lead.thread_id, assistant_id: lead.assistant_id, channel: lead.channel, phone: lead.phone },
  ...{ message_handler: lead.message_handler, ai_enabled: lead.message_handler === 'AI', erased_at: erased },
  ...{ lead_status: lead.status, status_set_at: lead.status_set_at, status_set_by: lead.status_set_by },
  ...{ bot_id: '', customer_name: null, opted_out: false, takeover_until: null, window_until: null },
  waiting_reason: null,
  ...{ waiting: false, waiting_since: null, last_message: null, unread_count: 0, attention: null },
  customer: { phone: lead.phone, wa_id: null, user_id: null, username: null, phone_proven: false },
  ...{
    same_customer: [],
    conducted_elsewhere: false,
    status_cleared_at: null,
    assignee: null,
    created_at: '',
    updated_at: '',
    version: 0,
  },
});
