import { hash } from 'node:crypto';
import {
  WebhookChannelRepository,
  type NumbersMeant,
  type ReportOfNumbers,
  type ReportOutcome,
} from '@app/persistence/webhooks/webhook-channel.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';
import type { AccountReport } from '../provider-events';
import { CHANNEL_OF, UnmatchedReportError, type WebhookSource } from '../webhook-source';

/**
 * The provider closes a number or a business account, or opens it again. A closed one sends nothing. People are told of
 * everything else. Providers repeat reports for days, in any order. Each takes effect once, unless a newer one has been
 * applied before.
 */
@Injectable()
export class AccountReportHandler {
  constructor(
    private readonly channels: WebhookChannelRepository,
    private readonly eventNotifier: EventNotifier,
  ) {}

  /** @throws UnmatchedReportError where no number of ours is meant */
  async apply(source: WebhookSource, event: AccountReport): Promise<void> {
    const { botId, provider, signedFor } = source;
    const { businessId, at } = event;
    // Gupshup may name a number by its app. The bot of the address then has that number.
    const sender = botId ? null : event.number;
    const meant = { channel: CHANNEL_OF[provider], botId, businessId, signedFor, sender, phone: event.phone };
    const outcome = await this.passOn(event, meant, { at, mark: markOf(source, event) });
    if (outcome === null) return;
    if (outcome.meant === 0) throw new UnmatchedReportError(event);
    if (outcome.told > 0) this.eventNotifier.notify(null);
  }

  private async passOn(
    { effect, event: reason, until }: AccountReport,
    meant: NumbersMeant,
    report: ReportOfNumbers,
  ): Promise<ReportOutcome | null> {
    switch (effect) {
      case 'stops':
        return this.channels.stop(meant, report, { reason, until });
      case 'resumes':
        return this.channels.resume(meant, report);
      case 'tells':
        return this.channels.tell(meant, report, reason);
      case 'none':
        return null;
    }
  }
}

/** What one number's own app tells is another report than what an app of the installation tells of all of them. */
function markOf({ provider, botId, signedFor }: WebhookSource, report: AccountReport): Buffer {
  const { number, phone, businessId, event, details } = report;
  const times = [report.at, report.until].map((time) => time?.toISOString() ?? null);
  const whom = phone === null ? [number] : [number, phone];
  const words = [
    'account',
    provider,
    botId,
    ...whom,
    businessId,
    event,
    details,
    ...times,
    ...(signedFor ?? []),
  ];
  return hash('sha256', JSON.stringify(words), 'buffer');
}
