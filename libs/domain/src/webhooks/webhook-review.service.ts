import { isUuid } from '@app/contracts/uuid.format';
import {
  WebhookRejectRepository,
  type StoredReject,
  type WebhookRejectRow,
} from '@app/persistence/webhooks/webhook-reject.repository';
import { Injectable } from '@nestjs/common';
import { reachOf, type Principal } from '../accounts/principal.rules';
import { Audit, type AuditedAct } from '../audit/audit.service';
import { WebhookReaders, type WebhookItem } from './provider-events';
import { WebhookItemIntake } from './inbound-event.handler';
import { WebhookRejectNotFoundError, REASON_LENGTH_MAX } from './webhook-rejects.service';
import { WebhookSources } from './webhook-source';

/** A part of a webhook that could not be processed, as admins see it. */
interface RejectedWebhookItem {
  id: string;
  /** Null where the account is unknown. */
  account_id: string | null;
  provider: string;
  bot_id: string | null;
  /** Its path in the body; empty for the whole body. */
  path: string;
  reason: string;
  item: string;
  received_at: string;
}

function presentRejectedItem(row: WebhookRejectRow): RejectedWebhookItem {
  const { id, account_id, provider, bot_id, path, reason, received_at: receivedAt } = row;
  // A cut may leave half a character at the end. A decoder in stream mode leaves it out.
  const item = new TextDecoder().decode(row.item, { stream: true });
  return { id, account_id, provider, bot_id, path, reason, item, received_at: receivedAt.toISOString() };
}

/** Of each item. The database has the whole text. */
const ITEM_BYTES_MAX = 16 * 1024;

const GONE = 'The webhook that it came in is deleted, and it cannot be read without it.';
const NOT_THERE = 'Its webhook is read without it by now.';

/** What became of a reject that was taken in again. */
export interface RetriedReject {
  id: string;
  /** It is no reject any more. */
  taken_in: boolean;
  /** Why not; null where it was. */
  reason: string | null;
}

/** Whether an item is at a path of a body, or below it. */
const isWithin = (path: string, whole: string): boolean =>
  whole === '' || path === whole || path.startsWith(`${whole}.`) || path.startsWith(`${whole}[`);

/** What could not be taken in of webhooks: an admin lists it, has it taken in again, or deletes it. */
@Injectable()
export class WebhookReview {
  constructor(
    private readonly rejects: WebhookRejectRepository,
    private readonly readers: WebhookReaders,
    private readonly sources: WebhookSources,
    private readonly intake: WebhookItemIntake,
    private readonly audit: Audit,
  ) {}

  /** The newest first. */
  async list(by: Principal, beforeId: string | null, limit: number): Promise<RejectedWebhookItem[]> {
    const { accountId } = reachOf(by);
    return (await this.rejects.list(accountId, beforeId, limit, ITEM_BYTES_MAX)).map(presentRejectedItem);
  }

  /**
   * Reads its webhook again and takes in what is there. What was taken in is deleted; what fails again stays, with its
   * new reason.
   * @throws WebhookRejectNotFoundError
   */
  async retry(by: Principal, id: string): Promise<RetriedReject> {
    const reject = await this.require(by, id);
    const reason = (await this.takeAgain(reject))?.slice(0, REASON_LENGTH_MAX) ?? null;
    const after = { taken_in: reason === null, reason };
    const act = { subject: subjectOf(reject), before: { reason: reject.reason }, after };
    await this.audit.act(
      by,
      'webhook_reject.retry',
      () => act,
      (entryOf) =>
        reason === null
          ? this.rejects.remove(reject, entryOf)
          : this.rejects.setReason(reject, reason, entryOf),
    );
    return { id: reject.id, taken_in: reason === null, reason };
  }

  /**
   * Deletes a reject for good.
   * @returns it as it was
   * @throws WebhookRejectNotFoundError
   */
  async remove(by: Principal, id: string): Promise<RejectedWebhookItem> {
    const reject = await this.require(by, id);
    const { provider, path, reason } = reject;
    const act = { subject: subjectOf(reject), before: { provider, path, reason } };
    await this.audit.act(
      by,
      'webhook_reject.delete',
      () => act,
      (entryOf) => this.rejects.remove(reject, entryOf),
    );
    return presentRejectedItem(reject);
  }

  /** @returns why something of it cannot be taken in; null where all was */
  private async takeAgain(reject: StoredReject): Promise<string | null> {
    const { id, provider, path, body, delivery_id: webhook, arrived_at } = reject;
    if (!body) return GONE;
    // The secret that signed it judges it again, whoever has its numbers by now.
    const source = this.sources.together()(reject);
    const items = this.readers.of(provider).read(body);
    const meant = [...items.entries()].filter(
      ([, item]) => isWithin(item.path, path) || ('reason' in item && isWithin(path, item.path)),
    );
    if (meant.length === 0) return NOT_THERE;
    let refusal: string | null = null;
    // One after the other, because items of one dialog have an order.
    for (const [position, item] of meant) {
      if (isIgnored(item)) continue;
      const arrival = { receivedAt: arrived_at, position, webhook, heldBy: id };
      const within = source.within(item.businessId ?? null);
      const { reason } = await this.intake.take(item, { source: within, arrival });
      refusal ??= reason;
    }
    return refusal;
  }

  private async require(by: Principal, id: string): Promise<StoredReject> {
    const { accountId } = reachOf(by);
    const reject = isUuid(id) ? await this.rejects.find(id, accountId, ITEM_BYTES_MAX) : null;
    if (!reject) throw new WebhookRejectNotFoundError();
    return reject;
  }
}

/** Not its text, which a customer may have written. */
const subjectOf = ({ account_id: accountId, id, provider }: StoredReject): AuditedAct['subject'] => ({
  ...{ type: 'webhook_reject', accountId, id, name: provider },
});

const isIgnored = (item: WebhookItem): item is Extract<WebhookItem, { ignored: string }> => 'ignored' in item;
