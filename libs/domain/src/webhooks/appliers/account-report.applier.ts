import { WebhookChannelRepository } from '@app/persistence/webhooks/webhook-channel.repository';
import { Injectable } from '@nestjs/common';
import type { AccountReport } from '../provider.events';
import { CHANNEL_OF, type WebhookSource } from '../webhook.source';

/** The provider closes a number or a business account, or opens it again: nothing is sent by a closed one. */
@Injectable()
export class AccountReportApplier {
  constructor(private readonly channels: WebhookChannelRepository) {}

  async apply(source: WebhookSource, event: AccountReport): Promise<void> {
    const { botId, provider } = source;
    const { businessId } = event;
    // A number of Gupshup may be named by its app; the bot of the address is that number's.
    const meant = { channel: CHANNEL_OF[provider], sender: botId ? null : event.number, botId, businessId };
    if (event.effect === 'stops') await this.channels.stop(meant, event.event);
    if (event.effect === 'resumes') await this.channels.resume(meant);
  }
}
