import { processLimits } from '@app/config/process-limits';
import type { Channel } from '@app/contracts/message.words';
import {
  WebhookChannelRepository,
  type ChannelOfBot,
} from '@app/persistence/webhooks/webhook-channel.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';
import { TemplateModerationService } from '../../templates/template-moderation.service';
import { TemplatesService } from '../../templates/templates.service';
import { within } from '../../work/time-limit';
import type { TemplateReport } from '../provider-events';
import { CHANNEL_OF, type WebhookSource } from '../webhook-source';

const LIMITS = processLimits('templateReports', {
  /** Other webhooks wait meanwhile. */
  fetchMs: 2_000,
  /** After that, nothing is fetched for the number for so long. */
  pauseMs: 60_000,
  /** Where so many numbers of a channel are paused, the provider hangs: nothing is fetched for any of them. */
  pausedMost: 3,
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
  /** Until when nothing is fetched, by channel and bot. */
  private readonly paused = new Map<string, number>();

  constructor(
    private readonly channels: WebhookChannelRepository,
    private readonly templates: TemplatesService,
    private readonly moderation: TemplateModerationService,
    private readonly eventNotifier: EventNotifier,
  ) {}

  async apply({ provider, botId, signedFor }: WebhookSource, event: TemplateReport): Promise<void> {
    const { businessId, isEdited = false, status } = event;
    const channel = CHANNEL_OF[provider];
    const numbers = { channel, sender: null, phone: null, botId, businessId, signedFor };
    for (const owner of await this.channels.ownersOf(numbers)) {
      const hasChanged = await this.templates.report({ ...owner, channel }, event);
      if (hasChanged) this.eventNotifier.notify(owner.accountId);
    }
    // One that is gone cannot be fetched, and nobody misses it.
    if (status === 'disabled') return;
    const lacking = await this.channels.lacking(numbers, { ...event, any: isEdited });
    if (lacking.length === 0) return;
    const isPaused = this.pausesOf(channel);
    const fetched = await Promise.allSettled(
      lacking.map(async (number) => {
        if (isPaused(number.botId)) throw new TemplateNotFetchedError();
        await this.fetch(number, channel, event.providerId);
      }),
    );
    for (const one of fetched) if (one.status === 'rejected') throw one.reason;
  }

  private pausesOf(channel: Channel): (botId: string) => boolean {
    const now = performance.now();
    for (const [number, until] of this.paused) if (until <= now) this.paused.delete(number);
    const paused = [...this.paused.keys()].filter((number) => number.startsWith(`${channel} `));
    const hangs = paused.length >= LIMITS.pausedMost;
    return (botId) => hangs || this.paused.has(`${channel} ${botId}`);
  }

  private async fetch(
    { accountId, botId }: ChannelOfBot,
    channel: Channel,
    providerId: string,
  ): Promise<void> {
    const fetching = this.moderation.fetch(accountId, botId, channel, providerId).then((hasChanged) => {
      if (hasChanged) this.eventNotifier.notify(accountId);
      return true;
    });
    if (await within(fetching, LIMITS.fetchMs)) return;
    this.paused.set(`${channel} ${botId}`, performance.now() + LIMITS.pauseMs);
    throw new TemplateNotFetchedError();
  }
}
