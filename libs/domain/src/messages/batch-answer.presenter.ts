import type { MessageError, MessageStatus } from '@app/contracts/message.words';
import { formatThreadId } from '@app/contracts/thread-id.format';
import type { SentMessageRow } from '@app/persistence/messages/sent-message.repository';
import { providerResponseOf } from './provider.response';
import { phoneOf } from './single-answer.presenter';

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
  provider_response?: unknown;
}

export interface BatchAnswer {
  batch_id: string;
  total: number;
  sent: number;
  failed: number;
  queued: number;
  unknown: number;
  results: BatchResult[];
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

function errorOf(row: SentMessageRow): Pick<BatchResult, 'error' | 'message' | 'provider_response'> {
  const error = row.error_code ?? 'PROVIDER_ERROR';
  const message = row.error_message ?? '';
  return error === 'DUPLICATE'
    ? { error, message }
    : { error, message, provider_response: providerResponseOf(row.provider_response) };
}
