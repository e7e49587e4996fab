import { processLimits } from '@app/config/process.limits';
import type { Channel } from '@app/contracts/message.words';
import { WebhookChannelRepository } from '@app/persistence/webhooks/webhook-channel.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';
import { TemplateModerationService } from '../../templates/template-moderation.service';
import { TemplatesService } from '../../templates/templates.service';
import { within } from '../../work/time.limit';
import type { TemplateReport } from '../provider.events';
import { CHANNEL_OF, type WebhookSource } from '../webhook.source';

const LIMITS = processLimits('templateReports', {
  /** Other webhooks wait meanwhile. */
  fetchMs: 2_000,
  /** After a provider was slower than that, nothing is fetched for so long. */
  pauseMs: 60_000,
});

class TemplateNotFetchedError extends Error {
  constructor() {
    super('The provider takes too long to show the template: synchronize the templates.');
  }
}

/**
 * The state of a template in moderation, for every account that sends by its business account. One that a bot lacks, or whose
 * content was changed at the provider, is fetched; where that fails or takes long the report is kept as a reject. Webhooks of
 * customers share the worker, so a provider that hangs must not hold it.
 */
@Injectable()
export class TemplateReportHandler {
  private pausedUntil = -Infinity;

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
    const lacking = await this.channels.lacking(numbers, { ...event, any: isEdited });
    if (lacking.length === 0) return;
    if (performance.now() < this.pausedUntil) throw new TemplateNotFetchedError();
    const fetching = lacking.map(({ accountId, botId: itsBot }) =>
      this.fetch(accountId, itsBot, channel, event.providerId),
    );
    const fetched = await within(Promise.allSettled(fetching), LIMITS.fetchMs);
    if (!fetched) {
      this.pausedUntil = performance.now() + LIMITS.pauseMs;
      throw new TemplateNotFetchedError();
    }
    for (const one of fetched) if (one.status === 'rejected') throw one.reason;
  }

  private async fetch(accountId: string, botId: string, channel: Channel, providerId: string): Promise<void> {
    if (await this.moderation.fetch(accountId, botId, channel, providerId))
      this.eventNotifier.notify(accountId);
  }
}
