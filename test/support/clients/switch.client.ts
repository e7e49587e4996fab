import { Agent, request } from 'node:http';
import type { ApiClient } from './api.client';

/** One call, by this process's monotonic clock in milliseconds. */
export interface TimedCall {
  status: number;
  sentAt: number;
  /** When the head of the answer was read. */
  answeredAt: number;
  /**
   * From when on nothing may begin. Between the two are some ticks of this process's event loop: what came to one of
   * its other sockets before the answer is read in them, if it was not read before. One round accepts one connection.
   */
  silentFrom: number;
}

const ROUNDS = 32;
const agent = new Agent({ keepAlive: true });

/** Switches the agent of a dialog off, and notes as exactly as it can when the answer was there. */
export const switchOff = (api: ApiClient, threadId: string): Promise<TimedCall> =>
  timedCall(api, 'leads/set-ai', { thread_id: `thread_${threadId}`, ai_enabled: false });

/** Takes a lead out of all stages, and notes the same. */
export const clearStage = (api: ApiClient, threadId: string): Promise<TimedCall> =>
  timedCall(api, 'leads/set-status', { thread_id: threadId, status_id: null });

/** Makes a call, and notes the same. */
export function timedCall(
  { url, key }: ApiClient,
  path: string,
  body: object = {},
  method = 'POST',
): Promise<TimedCall> {
  return new Promise((resolve, reject) => {
    const sentAt = performance.now();
    const call = request(`${url}/api/v1/${path}`, {
      agent,
      method,
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
    call.end(JSON.stringify(body));
  });
}
