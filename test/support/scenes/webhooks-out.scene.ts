import type { ApiClient } from '../clients/api.client';
import { webhookSchemas } from '../clients/webhook.schemas';
import { injected } from '../faults/injected.faults';
import { ENDPOINT_TIMES } from '../programs/test.limits';
import { EndpointReceiver } from '../stand-ins/endpoint.receiver';
import { extend, type SceneOptions } from './base.scene';
import { folderFor } from './media.scene';
import { sceneOf } from './scene.opening';
import { makeScenarioScene } from './scenario.scene';

export interface EndpointSettings {
  /** Another account than the scene's. */
  account_id?: string;
  events?: string[];
  assistant_ids?: string[];
  max_per_second?: number;
}

export type WebhooksOutScene = ReturnType<typeof makeWebhooksOutScene>;

/** A scene whose account has endpoints on this machine. */
function makeWebhooksOutScene({ environment, ...options }: SceneOptions = {}) {
  const receivers: (EndpointReceiver & { id: string })[] = [];
  const settings = { ...injected('on-this-machine'), ...ENDPOINT_TIMES, ...environment };

  const scene = extend(makeScenarioScene({ ...options, environment: settings }), {
    /** An endpoint of the account, with its id and a receiver that knows its secret. */
    async endpoint(given: EndpointSettings = {}): Promise<EndpointReceiver & { id: string }> {
      const receiver = Object.assign(await EndpointReceiver.start(), { id: '' });
      receivers.push(receiver);
      const { data } = await scene.govern('POST', 'webhook-endpoints', {
        ...{ account_id: scene.account.id, url: receiver.url, events: ['*'] },
        ...given,
      });
      return Object.assign(receiver, { secret: String(data.secret), id: String(data.id) });
    },

    /** Deletes endpoints, all unless told which, for an account has at most twenty. What they were sent is kept. */
    async deleteEndpoints(which: readonly (EndpointReceiver & { id: string })[] = receivers): Promise<void> {
      for (const receiver of which.filter(({ id }) => id !== '')) {
        await scene.govern('DELETE', `webhook-endpoints/${receiver.id}`);
        receiver.id = '';
      }
    },

    /** An operation of the administration that must succeed. */
    async govern(
      method: Parameters<ApiClient['admin']>[0],
      path: string,
      body?: object,
    ): Promise<{ data: Record<string, any> }> {
      const answer = await scene.admin.admin(method, path, body);
      if (answer.status >= 300)
        throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return { data: answer.body.data as Record<string, any> };
    },

    /** What endpoints were sent that the OpenAPI document does not describe so, or that was not signed. */
    async faults(): Promise<string[]> {
      const faultsOf = await webhookSchemas(scene.server.url);
      const sent = receivers.flatMap(({ events }) => events);
      return [...sent.flatMap(faultsOf), ...receivers.flatMap(({ forged }) => forged)];
    },
  });

  scene.withStandIns(async () => ({
    ...{ AI_TRANSCRIPTION_MODEL: 'hearing', AI_TRANSCRIPTION_URL: scene.provider.url },
    MEDIA_DIR: await folderFor(scene),
  }));
  scene.whenClosed(() => Promise.all(receivers.map((receiver) => receiver.stop())));
  return scene;
}

export const { set: setWebhooksOutScene } = sceneOf(makeWebhooksOutScene);
