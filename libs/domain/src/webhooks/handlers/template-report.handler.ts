import { WebhookChannelRepository } from '@app/persistence/webhooks/webhook-channel.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';
import { TemplatesService } from '../../templates/templates.service';
import type { TemplateReport } from '../provider.events';
import { CHANNEL_OF, type WebhookSource } from '../webhook.source';

/** The state of a template in moderation, for every account that sends by its business account. */
@Injectable()
export class TemplateReportHandler {
  constructor(
    private readonly channels: WebhookChannelRepository,
    private readonly templates: TemplatesService,
    private readonly eventNotifier: EventNotifier,
  ) {}

  async apply({ provider, botId }: WebhookSource, event: TemplateReport): Promise<void> {
    const { businessId } = event;
    const channel = CHANNEL_OF[provider];
    const numbers = { channel, sender: null, phone: null, botId, businessId };
    for (const accountId of await this.channels.accountsOf(numbers)) {
      const hasChanged = await this.templates.report({ accountId, channel, botId }, event);
      if (hasChanged) this.eventNotifier.notify(accountId);
    }
  }
}
