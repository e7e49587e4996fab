import { randomUUIDv7 } from 'node:crypto';
import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import { DeliveryListRepository } from '@app/persistence/webhooks-out/delivery-list.repository';
import {
  WebhookEndpointRepository,
  type EndpointKey,
} from '@app/persistence/webhooks-out/webhook-endpoint.repository';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../accounts/principal.rules';
import { SecretCipher } from '../../accounts/secret-cipher.port';
import { Audit } from '../../audit/audit.service';
import { SendingHold } from '../../work/sending-hold.service';
import { isGone, outcomeOf } from '../sending/delivery-outcome';
import { presentDelivery, type Delivery, ofEndpoint } from './endpoint.presenter';
import { EndpointDisabling } from './endpoint-disabling.service';
import { EndpointDisabledError, EndpointNotFoundError } from './endpoint.errors';
import { openSecrets, SEALED } from './endpoint-secrets';
import { keyOf, WebhookEndpoints } from './webhook-endpoints.service';
import { WebhookSender, type WebhookOutcome } from '../sending/webhook-sender.port';
import { testBody, webhookHeaders } from '../sending/webhook-body';

/** Each waits for its receiver, up to 15 seconds. */
const TESTED_AT_ONCE = 16;

/** Tests of endpoints: one attempt, at once, which counts as any other. */
@Injectable()
export class EndpointTests {
  private readonly limiter = new InFlightLimiter(TESTED_AT_ONCE);

  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly disabling: EndpointDisabling,
    private readonly repository: WebhookEndpointRepository,
    private readonly deliveries: DeliveryListRepository,
    private readonly cipher: SecretCipher,
    private readonly sender: WebhookSender,
    private readonly audit: Audit,
    private readonly hold: SendingHold,
  ) {}

  /**
   * Sends an event of its own type, signed as all others. It is not tried again.
   * @throws EndpointNotFoundError, EndpointDisabledError, SendingHeldError, TooManyWaitingError
   */
  async test(by: Principal, id: string): Promise<Delivery> {
    const endpoint = await this.endpoints.require(by, id);
    await this.hold.refuse();
    return this.limiter.run(endpoint.account_id, async () => {
      const [key, ids] = [keyOf(endpoint), { deliveryId: randomUUIDv7(), eventId: randomUUIDv7() }];
      const act = { subject: ofEndpoint(endpoint), after: { event_id: ids.eventId } };
      const at = await this.audit.act(
        by,
        'webhook_endpoint.test',
        () => act,
        (entryOf) => this.deliveries.addTest(key, ids, entryOf),
      );
      if (at === null) throw new EndpointDisabledError();
      const { url, outcome } = await this.attempt(key, ids.eventId, at);
      const { state, attempt } = outcomeOf({ id: ids.deliveryId, tries: 0 }, at, outcome);
      const become = state === 'delivered' ? state : 'failed';
      const tested = await this.deliveries.closeTest(key, ids.deliveryId, become, attempt);
      if (tested === null) throw new EndpointNotFoundError();
      if (isGone(attempt)) await this.disabling.disable(key, null, url, 'gone');
      return presentDelivery(tested);
    });
  }

  private async attempt(
    key: EndpointKey,
    eventId: string,
    at: Date,
  ): Promise<{ url: string; outcome: WebhookOutcome }> {
    const sending = await this.repository.findSending(key);
    if (sending === null) throw new EndpointNotFoundError();
    const { url } = sending;
    let secrets: string[];
    try {
      secrets = openSecrets(this.cipher, sending, sending.former_counts);
    } catch {
      return { url, outcome: SEALED };
    }
    const body = testBody(sending, eventId, at);
    const headers = webhookHeaders({ eventId, body, replayed: false }, secrets, at);
    const connections = this.sender.open();
    try {
      // A caller who leaves looks like one who has only closed the sending half. The request has its own time limit.
      const { signal } = new AbortController();
      return { url, outcome: await connections.send({ url, headers, body }, signal) };
    } finally {
      connections.close();
    }
  }
}
