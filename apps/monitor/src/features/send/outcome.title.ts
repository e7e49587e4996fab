import type { RecipientResult } from '@app/client/api.types';
import { isUnderWay, type Sending } from './sending.store';

interface Known {
  /** Where the list goes out from this tab. */
  sending: Sending | null;
  counts: Record<RecipientResult['status'], number>;
  total: number;
  /** All of its parts have been read. */
  isWhole: boolean;
}

/** The title of a list that goes out or has gone. It says no more than is known yet. */
export function outcomeTitle({ sending, counts, total, isWhole }: Known) {
  if (isUnderWay(sending) || counts.queued > 0) return 'resultGoing';
  if (sending?.state === 'stopped') return 'resultStopped';
  if (sending?.state === 'refused') return 'resultEarly';
  if (!isWhole) return 'resultTitle';
  return counts.sent + counts.failed + counts.unknown < total ? 'resultEarly' : 'resultDone';
}
