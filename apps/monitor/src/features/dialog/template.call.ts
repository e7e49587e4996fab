import { ApiError } from '@app/client/api.error';
import type { RecipientRequest, TemplateAnswer } from '@app/client/api.types';
import { newRequestId } from '@app/client/request-id.format';
import type { Card } from '@app/contracts/board.events';
import { api } from '../../shared/api/page.api';
import { channelOf } from '../../shared/leads/channel.format';

/** Of sends whose answer was lost, by what was sent: the same send again goes out once. */
const lost = new Map<string, string>();
const LOST: ReadonlySet<string> = new Set([
  'NETWORK',
  'NOT_JSON',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
  'IDEMPOTENCY_IN_PROGRESS',
]);

/** Sends a template to the customer of a dialog. Trying again after a lost answer sends nothing twice. */
export async function sendTemplate(
  card: Card,
  template: TemplateAnswer,
  to: RecipientRequest,
): Promise<void> {
  const body = {
    ...{ bot_id: card.bot_id, channel: channelOf(card), template_id: template.template_id },
    template_language: template.language,
    to,
  };
  const sent = JSON.stringify([card.thread_id, body]);
  const key = lost.get(sent) ?? newRequestId();
  lost.set(sent, key);
  try {
    await api.post('/api/v1/messages/send-template', {
      params: { header: { 'Idempotency-Key': key } },
      body,
    });
    lost.delete(sent);
  } catch (error) {
    if (!(error instanceof ApiError && LOST.has(error.code))) lost.delete(sent);
    throw error;
  }
}
