import type { LifeDialog } from './life.plan';

const ANSWER_MS = 20_000;
const DIALOGS_MAX = 200;

/** What the demo's life asks of the service: operations of the public API, by a key of the demo. */
export class LifeClient {
  /** @param ended aborts what is under way */
  constructor(
    private readonly baseUrl: string,
    private readonly ended: AbortSignal,
  ) {}

  async dialogs(key: string, assistantId: string, phones: readonly string[]): Promise<LifeDialog[]> {
    const asked = { assistant_id: assistantId, phones, limit: DIALOGS_MAX, messages_limit: 1 };
    const data = await this.call<{ threads: LifeDialog[] }>(key, 'messages/get-threads', asked);
    return data.threads;
  }

  /** Moves the lead, unless somebody has moved it meanwhile. */
  async move(key: string, threadId: string, from: string, to: string): Promise<void> {
    await this.call(key, 'leads/set-status', {
      ...{ thread_id: threadId, status_id: to, expected_status_id: from },
    });
  }

  async markRead(key: string, threadId: string, upTo: string): Promise<void> {
    await this.call(key, 'messages/mark-read', { thread_id: threadId, up_to: upTo });
  }

  /** @throws Error when the service does not do it */
  private async call<T>(key: string, path: string, body: object): Promise<T> {
    const response = await fetch(`${this.baseUrl}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.any([this.ended, AbortSignal.timeout(ANSWER_MS)]),
    });
    const answer = (await response.json()) as { ok: boolean; data: T };
    if (!answer.ok) throw new Error(`${path} answered ${response.status}`);
    return answer.data;
  }
}
