import { Agent, request } from 'node:http';
import type { ApiClient } from './api.client';

/** One set-ai, by this process's monotonic clock in milliseconds. */
export interface TimedSwitch {
  status: number;
  sentAt: number;
  /** When the head of the answer was read. */
  answeredAt: number;
  /**
   * From when on nothing may begin. Between the two are some ticks of this process's event loop: what came to one of
   * its other sockets before the answer is read in them, if it was not read before.
   */
  silentFrom: number;
}

const ROUNDS = 3;
const agent = new Agent({ keepAlive: true });

/** Switches the agent of a dialog off, and notes as exactly as it can when the answer was there. */
export function switchOff({ url, key }: ApiClient, threadId: string): Promise<TimedSwitch> {
  return new Promise((resolve, reject) => {
    const sentAt = performance.now();
    const call = request(`${url}/api/v1/leads/set-ai`, {
      agent,
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    });
    call.on('error', reject);
    call.on('response', (response) => {
      const answeredAt = performance.now();
      response.resume();
      const wait = (ticks: number): void => {
        if (ticks > 0) setImmediate(() => wait(ticks - 1));
        else resolve({ status: response.statusCode ?? 0, sentAt, answeredAt, silentFrom: performance.now() });
      };
      wait(ROUNDS);
    });
    call.end(JSON.stringify({ thread_id: `thread_${threadId}`, ai_enabled: false }));
  });
}
