import { WebhookChannelRepository } from '@app/persistence/webhooks/webhook-channel.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';
import { TemplateModerationService } from '../../templates/template-moderation.service';
import { TemplatesService } from '../../templates/templates.service';
import type { TemplateReport } from '../provider.events';
import { CHANNEL_OF, type WebhookSource } from '../webhook.source';

/**
 * The state of a template in moderation, for every account that sends by its business account. One that a bot lacks, or whose
 * content was changed at the provider, is fetched; where that fails the report is kept as a reject.
 */
@Injectable()
export class TemplateReportHandler {
  constructor(
    private readonly channels: WebhookChannelRepository,
    private readonly templates: TemplatesService,
    private readonly moderation: TemplateModerationService,
    private readonly eventNotifier: EventNotifier,
  ) {}

  async apply({ provider, botId }: WebhookSource, event: TemplateReport): Promise<void> {
    const { businessId, isEdited = false, status } = event;
    const channel = CHANNEL_OF[provider];
    const numbers = { channel, sender: null, phone: null, botId, businessId };
    for (const accountId of await this.channels.accountsOf(numbers)) {
      const hasChanged = await this.templates.report({ accountId, channel, botId }, event);
      if (hasChanged) this.eventNotifier.notify(accountId);
    }
    // One that is gone cannot be fetched, and nobody misses it.
    if (status === 'disabled') return;
    for (const { accountId, botId: itsBot } of await this.channels.lacking(numbers, {
      ...event,
      any: isEdited,
    })) {
      if (await this.moderation.fetch(accountId, itsBot, channel, event.providerId))
        this.eventNotifier.notify(accountId);
    }
  }
}
