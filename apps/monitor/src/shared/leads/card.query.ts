import type { Card } from '@app/contracts/board.events';
import { api } from '../api/page.api';

/** The card of a dialog as it is now. @throws ApiError THREAD_NOT_FOUND */
export async function readCard(threadId: string): Promise<Card> {
  const { threads } = await api.post('/api/v1/messages/get-threads', { body: { thread_ids: [threadId] } });
  // A thread has all that a card has. During an update a process of the former version knows no such filter, and lists others.
  const found = threads.find(({ thread_id }) => thread_id === threadId.toLowerCase());
  if (!found) throw new Error(`${threadId} is not in the answer`);
  return found;
}
