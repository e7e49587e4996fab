import { MESSAGE_STATUSES, type MessageError, type MessageStatus } from '@app/contracts/message.words';
import { formatThreadId } from '@app/contracts/uuid.format';
import type { ListedBatchRow } from '@app/persistence/messages/batches/batch-list.repository';
import type { SentMessageRow } from '@app/persistence/messages/sending/sent-message.repository';
import { providerResponseOf } from '../dispatch/send-outcome.rules';
import { phoneOf } from '../sending/single-answer.presenter';

export interface BatchResult {
  index: number;
  /** Null where the customer was erased since. */
  phone: string | null;
  ok: boolean;
  id: string;
  thread_id: string;
  status: 'sent' | 'failed' | 'queued' | 'unknown';
  message_id: string | null;
  error?: MessageError['code'];
  message?: string;
  /** The provider's number for it, where there is one. */
  provider_code?: MessageError['provider_code'];
  provider_response?: unknown;
}

/** How many messages of a list there are, and what became of them. */
type BatchCounts = Record<'total' | BatchResult['status'], number>;

export interface BatchAnswer extends BatchCounts {
  batch_id: string;
  results: BatchResult[];
}

/** A list without its messages. */
export interface ListedBatch
  extends BatchCounts, Pick<ListedBatchRow, 'bot_id' | 'channel' | 'template' | 'author'> {
  batch_id: string;
  created_at: string;
}

/**
 * What the caller learns about a message: whether the provider accepted it, not its delivery. A message that was
 * accepted and failed later counts as failed.
 */
const TOLD: Record<MessageStatus, BatchResult['status']> = {
  received: 'sent',
  queued: 'queued',
  sending: 'queued',
  unknown: 'unknown',
  sent: 'sent',
  failed: 'failed',
  delivered: 'sent',
  read: 'sent',
  dropped: 'failed',
};

export function presentBatch(batchId: string, rows: readonly SentMessageRow[]): BatchAnswer {
  const results = rows.map(presentResult);
  const count = (status: BatchResult['status']): number =>
    results.filter((result) => result.status === status).length;
  return {
    batch_id: batchId,
    total: rows.length,
    sent: count('sent'),
    failed: count('failed'),
    queued: count('queued'),
    unknown: count('unknown'),
    results,
  };
}

export function presentListedBatch(row: ListedBatchRow): ListedBatch {
  const counts: BatchCounts = { total: 0, sent: 0, failed: 0, queued: 0, unknown: 0 };
  for (const status of MESSAGE_STATUSES) {
    const count = row.statuses[status] ?? 0;
    counts.total += count;
    counts[TOLD[status]] += count;
  }
  const { id, bot_id, channel, template, author, created_at: at } = row;
  return { batch_id: id, bot_id, channel, template, author, created_at: at.toISOString(), ...counts };
}

function presentResult(row: SentMessageRow): BatchResult {
  const status = TOLD[row.status];
  return {
    index: row.batch_index ?? 0,
    phone: phoneOf(row.recipient),
    ok: status === 'sent' || status === 'queued',
    id: row.id,
    thread_id: formatThreadId(row.thread_id),
    status,
    message_id: row.provider_id,
    ...(status === 'failed' || status === 'unknown' ? errorOf(row) : {}),
  };
}

function errorOf(
  row: SentMessageRow,
): Pick<BatchResult, 'error' | 'message' | 'provider_code' | 'provider_response'> {
  const error = row.error_code ?? 'PROVIDER_ERROR';
  const message = row.error_message ?? '';
  if (error === 'DUPLICATE') return { error, message };
  const { provider_code: providerCode, provider_response: response } = row;
  return { error, message, provider_code: providerCode, provider_response: providerResponseOf(response) };
}
