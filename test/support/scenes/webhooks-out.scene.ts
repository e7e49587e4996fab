import type { ApiClient } from '../clients/api.client';
import { webhookSchemas } from '../clients/webhook.schemas';
import { injected } from '../faults/injected.faults';
import { ENDPOINT_TIMES } from '../programs/test.limits';
import { EndpointReceiver } from '../stand-ins/endpoint.receiver';
import type { SceneOptions } from './lead.scene';
import { ScenarioScene } from './scenario.scene';

export interface EndpointSettings {
  /** Another account than the scene's. */
  account_id?: string;
  events?: string[];
  assistant_ids?: string[];
  max_per_second?: number;
}

/** A scene whose account has endpoints on this machine. */
export class WebhooksOutScene extends ScenarioScene {
  private readonly receivers: (EndpointReceiver & { id: string })[] = [];

  /** An endpoint of the account, with its id and a receiver that knows its secret. */
  async endpoint(settings: EndpointSettings = {}): Promise<EndpointReceiver & { id: string }> {
    const receiver = Object.assign(await EndpointReceiver.start(), { id: '' });
    this.receivers.push(receiver);
    const { data } = await this.govern('POST', 'webhook-endpoints', {
      ...{ account_id: this.account.id, url: receiver.url, events: ['*'] },
      ...settings,
    });
    return Object.assign(receiver, { secret: String(data.secret), id: String(data.id) });
  }

  /** Deletes endpoints, all unless told which, for an account has at most twenty. What they were sent is kept. */
  async deleteEndpoints(
    which: readonly (EndpointReceiver & { id: string })[] = this.receivers,
  ): Promise<void> {
    for (const receiver of which.filter(({ id }) => id !== '')) {
      await this.govern('DELETE', `webhook-endpoints/${receiver.id}`);
      receiver.id = '';
    }
  }

  /** An operation of the administration that must succeed. */
  async govern(
    method: Parameters<ApiClient['admin']>[0],
    path: string,
    body?: object,
  ): Promise<{ data: Record<string, any> }> {
    const answer = await (await this.admin()).admin(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return { data: answer.body.data as Record<string, any> };
  }

  /** What endpoints were sent that the OpenAPI document does not describe so, or that was not signed. */
  async faults(): Promise<string[]> {
    const faultsOf = await webhookSchemas(this.server.url);
    const sent = this.receivers.flatMap(({ events }) => events);
    return [...sent.flatMap(faultsOf), ...this.receivers.flatMap(({ forged }) => forged)];
  }

  override async close(): Promise<void> {
    await super.close();
    await Promise.all(this.receivers.map((receiver) => receiver.stop()));
  }
}

/** Sets the scene for a test file; it is there from the first hook on. */
export function setWebhooksOutScene({ environment, ...options }: SceneOptions = {}): WebhooksOutScene {
  const scene = new WebhooksOutScene({
    ...options,
    environment: { ...injected('on-this-machine'), ...ENDPOINT_TIMES, ...environment },
  });
  beforeAll(() => scene.start());
  afterAll(() => scene.close());
  return scene;
}
