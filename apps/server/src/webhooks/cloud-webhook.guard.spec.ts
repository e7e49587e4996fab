import { createHmac } from 'node:crypto';
import type { ExecutionContext } from '@nestjs/common';
import { CloudWebhookGuard } from './cloud-webhook.guard';
import type { WebhookBodyReader } from './webhook-body.reader';

const BODY = Buffer.from('{"object":"whatsapp_business_account"}');
const guard = new CloudWebhookGuard(
  { appSecrets: ['secret of one app', 'secret of another'], verifyToken: '', gupshupToken: '' },
  { read: () => Promise.resolve(BODY) } as unknown as WebhookBodyReader,
);

function admits(secret: string): Promise<boolean> {
  const signature = createHmac('sha256', secret).update(BODY).digest('hex');
  const request = { headers: { 'x-hub-signature-256': `sha256=${signature}` } };
  const http = { getRequest: () => request, getResponse: () => ({}) };
  return guard.canActivate({ switchToHttp: () => http } as unknown as ExecutionContext);
}

it.each(['secret of one app', 'secret of another'])(
  'webhooks of each app are admitted: %s',
  async (secret) => {
    expect(await admits(secret)).toBe(true);
  },
);

it.each(['secret of a third', '', 'secret of one app,secret of another'])(
  'webhooks of no other are: %s',
  async (secret) => {
    await expect(admits(secret)).rejects.toThrow('is not the signature');
  },
);
