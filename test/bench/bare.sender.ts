import { randomUUIDv7 } from 'node:crypto';
import { cloudMessageBody } from '@app/integrations/whatsapp-cloud/cloud-message.body';
import { Pool } from 'undici';
import { CREDENTIAL } from '../support/fixture';
import { newPhone, PARAMS, TEMPLATE } from './bulk.order';

export const IN_FLIGHT = 80;

/** The floor of sending: as many requests in flight as a number may have, with the same bodies; nothing stored. */
export class BareSender {
  private readonly pool: Pool;

  constructor(url: string) {
    this.pool = new Pool(url, { connections: IN_FLIGHT, pipelining: 1 });
  }

  /** @returns how many were accepted. */
  async sendFor(milliseconds: number): Promise<number> {
    const last = performance.now() + milliseconds;
    let sent = 0;
    const send = async (): Promise<void> => {
      while (performance.now() < last) {
        await this.send();
        sent += 1;
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, send));
    return sent;
  }

  async stop(): Promise<void> {
    await this.pool.close();
  }

  private async send(): Promise<void> {
    const content = { type: 'template' as const, name: TEMPLATE, language: 'ru', params: [...PARAMS] };
    const { statusCode, body } = await this.pool.request({
      method: 'POST',
      path: '/v25.0/100000000000001/messages',
      headers: { authorization: `Bearer ${CREDENTIAL}`, 'content-type': 'application/json' },
      body: JSON.stringify(
        cloudMessageBody({ reference: randomUUIDv7(), to: { phone: newPhone() }, content }),
      ),
    });
    const { messages } = (await body.json()) as { messages?: unknown[] };
    if (statusCode !== 200 || messages?.length !== 1) throw new Error(`the provider answered ${statusCode}`);
  }
}
