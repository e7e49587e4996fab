import type { Card } from '@app/contracts/board.events';
import { api } from '../../shared/api/page.api';

/** The card of a dialog as it is now. @throws ApiError THREAD_NOT_FOUND */
export async function readCard(threadId: string): Promise<Card> {
  const { threads } = await api.post('/api/v1/messages/get-threads', { body: { thread_ids: [threadId] } });
  // A thread has all that a card has, and none that is missing is answered with a list.
  return threads[0]!;
}
