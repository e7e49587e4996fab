import { hash } from 'node:crypto';
import { WebhookChannelRepository } from '@app/persistence/webhooks/webhook-channel.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';
import type { AccountReport } from '../provider.events';
import { CHANNEL_OF, type WebhookSource } from '../webhook.source';

/**
 * The provider closes a number or a business account, or opens it again. A closed one sends nothing. Providers repeat
 * reports for days, in any order. Each has its effect once, and none that is older than the last one applied has any.
 */
@Injectable()
export class AccountReportHandler {
  constructor(
    private readonly channels: WebhookChannelRepository,
    private readonly eventNotifier: EventNotifier,
  ) {}

  async apply(source: WebhookSource, event: AccountReport): Promise<void> {
    const { botId, provider } = source;
    const { businessId, at, until } = event;
    // Gupshup may name a number by its app. The bot of the address then has that number.
    const meant = { channel: CHANNEL_OF[provider], sender: botId ? null : event.number, botId, businessId };
    const report = { at, mark: markOf(source, event) };
    const told =
      event.effect === 'stops'
        ? await this.channels.stop(meant, report, { reason: event.event, until })
        : event.effect === 'resumes' && (await this.channels.resume(meant, report));
    if (told) this.eventNotifier.notify(null);
  }
}

function markOf({ provider, botId }: WebhookSource, report: AccountReport): Buffer {
  const { number, businessId, event, details } = report;
  const times = [report.at, report.until].map((time) => time?.toISOString() ?? null);
  const words = ['account', provider, botId, number, businessId, event, details, ...times];
  return hash('sha256', JSON.stringify(words), 'buffer');
}
