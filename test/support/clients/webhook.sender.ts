import { createHmac } from 'node:crypto';
import type { Answer } from './api.client';
import { requestLiterally, type LiteralRequest } from './raw.request';
import { SECRETS, type ServerProcess } from '../programs/server.process';

/** The header by which Meta proves that a body is its own. */
export const signatureOf = (body: string | Uint8Array, secret = SECRETS.CLOUD_API_APP_SECRET): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** The token that a bot's address for Gupshup is shown with. */
export const gupshupTokenOf = (botId: string): string =>
  createHmac('sha256', SECRETS.GUPSHUP_WEBHOOK_TOKEN).update(botId).digest('hex');

/** Sends webhooks as the providers do, and as those do who only pretend to be one. */
export class WebhookSender {
  constructor(private readonly server: ServerProcess) {}

  /** By Meta; signed unless other headers are given. */
  meta(
    body: string | Uint8Array,
    headers: LiteralRequest['headers'] = { 'X-Hub-Signature-256': signatureOf(body) },
  ): Promise<Answer> {
    return this.post('/webhooks/whatsapp', body, headers);
  }

  /** By Gupshup, to a bot's address; with our token unless another query is given. */
  gupshup(
    botId: string,
    body: string | Uint8Array,
    query = `token=${SECRETS.GUPSHUP_WEBHOOK_TOKEN}`,
  ): Promise<Answer> {
    return this.post(`/webhooks/gupshup/${botId}?${query}`, body);
  }

  private post(
    path: string,
    body: string | Uint8Array,
    headers: LiteralRequest['headers'] = {},
  ): Promise<Answer> {
    const type = { 'Content-Type': 'application/json' };
    return requestLiterally(this.server.url, { path, body, headers: { ...type, ...headers } });
  }
}
