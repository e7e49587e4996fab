import { WebhookRejectRepository } from '@app/persistence/webhooks/webhook-reject.repository';
import { Injectable } from '@nestjs/common';
import { reachOf, type Principal } from '../accounts/principal.rules';
import { presentRejectedItem, type RejectedWebhookItem } from './rejected-item.presenter';

/** Of each item. The database has the whole text. */
const ITEM_BYTES_MAX = 16 * 1024;

/** Rejected parts of webhooks. Only an admin may use it. */
@Injectable()
export class WebhookReview {
  constructor(private readonly rejects: WebhookRejectRepository) {}

  /** The newest first. */
  async list(by: Principal, beforeId: string | null, limit: number): Promise<RejectedWebhookItem[]> {
    reachOf(by);
    return (await this.rejects.list(beforeId, limit, ITEM_BYTES_MAX)).map(presentRejectedItem);
  }
}
