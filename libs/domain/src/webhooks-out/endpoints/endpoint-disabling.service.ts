import { EndpointDisablingRepository } from '@app/persistence/webhooks-out/endpoint-disabling.repository';
import type { EndpointKey } from '@app/persistence/webhooks-out/endpoint-queue.repository';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../audit/audit.service';
import { EventNotifier } from '../../events/event-notifier.service';

/** Takes endpoints out of service because of what they answer. */
@Injectable()
export class EndpointDisabling {
  constructor(
    private readonly repository: EndpointDisablingRepository,
    private readonly audit: Audit,
    private readonly eventNotifier: EventNotifier,
  ) {}

  /**
   * Has an entry in the audit, and tells the other endpoints of the account. Does nothing where an admin was quicker.
   * @param token of the lease by which this process holds the endpoint: nothing is done where it has lost it; null: it does not
   * hold it
   * @param url the address whose answers say so: nothing is done where the endpoint has another one since
   * @returns whether it did
   */
  async disable(
    key: EndpointKey,
    token: string | null,
    url: string,
    reason: 'gone' | 'failing',
  ): Promise<boolean> {
    const { accountId, endpointId: id } = key;
    const isDisabled = await this.audit.act(
      { type: null },
      'webhook_endpoint.disable',
      ({ url: name }: { url: string }) => ({
        subject: { type: 'webhook_endpoint', accountId, id, name },
        before: { disabled: false },
        after: { disabled: true, disabled_reason: reason },
      }),
      (entryOf) => this.repository.disable(key, token, url, reason, entryOf),
    );
    if (isDisabled) this.eventNotifier.notify(accountId);
    return isDisabled;
  }

  /** What is left of endpoints that were disabled is not sent any more. */
  async skipLeft(): Promise<void> {
    await this.repository.skipLeft();
  }
}
