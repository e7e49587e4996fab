import { randomUUIDv7 } from 'node:crypto';
import { cloudMessageBody } from '@app/integrations/whatsapp-cloud/cloud-message-sender';
import { Pool } from 'undici';
import { CREDENTIAL } from '../support/database/fixture';
import { newPhone, PARAMS, TEMPLATE } from './bulk.order';

export const IN_FLIGHT = 80;
const DEADLINE_MS = 20_000;

/** The floor of sending: as many requests in flight as a number may have, with the same bodies; nothing stored. */
export class BareSender {
  /** How many were accepted. */
  sent = 0;
  private readonly pool: Pool;
  private going = false;
  private sending: Promise<unknown> = Promise.resolve();

  constructor(url: string) {
    this.pool = new Pool(url, { connections: IN_FLIGHT, pipelining: 1, headersTimeout: DEADLINE_MS });
  }

  start(): void {
    this.going = true;
    const send = async (): Promise<void> => {
      while (this.going) {
        await this.send();
        this.sent += 1;
      }
    };
    this.sending = Promise.all(Array.from({ length: IN_FLIGHT }, send));
    // Heard of by finish().
    this.sending.catch(() => undefined);
  }

  /** Resolves when nothing is in flight. @throws what a request failed with. */
  async finish(): Promise<void> {
    this.going = false;
    await this.sending;
  }

  async stop(): Promise<void> {
    await this.pool.close();
  }

  private async send(): Promise<void> {
    const content = { type: 'template' as const, name: TEMPLATE, language: 'ru', params: [...PARAMS] };
    const { statusCode, body } = await this.pool.request({
      method: 'POST',
      path: '/v26.0/100000000000001/messages',
      headers: { authorization: `Bearer ${CREDENTIAL}`, 'content-type': 'application/json' },
      body: JSON.stringify(
        cloudMessageBody({ reference: randomUUIDv7(), to: { phone: newPhone() }, content }),
      ),
    });
    const { messages } = (await body.json()) as { messages?: unknown[] };
    if (statusCode !== 200 || messages?.length !== 1) throw new Error(`the provider answered ${statusCode}`);
  }
}
