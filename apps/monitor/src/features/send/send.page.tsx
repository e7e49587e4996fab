import { useSearch } from '@tanstack/react-router';
import { usePageTitle } from '../../shared/ui/page-title.hook';
import { Compose } from './compose/compose.view';
import { Outcome } from './results/outcome.view';
import type { SendSearch } from './send-search';
import { sendWords } from './send.words';
import { useSending } from './results/sending.store';

/** `/send`: a list that is put together, or one that goes out or has gone. */
export function SendPage() {
  const { batch, of, thread }: SendSearch = useSearch({ from: '/inside/send' });
  const sending = useSending();
  usePageTitle(sendWords.use()('title'));
  const ids = batch?.split(',') ?? [];
  if (ids.length === 0 && (sending === null || sending.isNoted)) return <Compose threadId={thread} />;
  const isOwn = sending !== null && (ids.length === 0 || ids[0] === sending.batchIds[0]);
  return <Outcome ids={isOwn ? sending.batchIds : ids} total={of ?? null} sending={isOwn ? sending : null} />;
}
