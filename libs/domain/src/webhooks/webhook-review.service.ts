import { WebhookRejectRepository } from '@app/persistence/webhooks/webhook-reject.repository';
import { Injectable } from '@nestjs/common';
import { requireScope, type Principal } from '../accounts/principal.rules';
import { presentRejectedItem, type RejectedWebhookItem } from './rejected-item.presenter';

/** Of each item; the whole stands in the database. */
const ITEM_BYTES_MAX = 16 * 1024;

/** What of webhooks was kept aside, for whoever governs the installation; anybody else is refused. */
@Injectable()
export class WebhookReview {
  constructor(private readonly rejects: WebhookRejectRepository) {}

  /** The newest first. */
  async list(by: Principal, beforeId: string | null, limit: number): Promise<RejectedWebhookItem[]> {
    requireScope(by, ['admin']);
    return (await this.rejects.list(beforeId, limit, ITEM_BYTES_MAX)).map(presentRejectedItem);
  }
}
