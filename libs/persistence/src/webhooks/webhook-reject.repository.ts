import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Database } from '../database/database.service';
import { Entities } from '../database/entities.service';
import { statement } from '../database/sql.statement';
import { WebhookRejectEntity } from './webhook-reject.entity';

/** A part of a webhook that could not be understood. */
export type NewWebhookReject = Omit<WebhookRejectEntity, 'created_at'>;

const SHOWN = ['id', 'account_id', 'provider', 'bot_id', 'path', 'reason', 'received_at'] as const;

/** With the beginning of the item. */
export type WebhookRejectRow = Pick<WebhookRejectEntity, (typeof SHOWN)[number] | 'item'>;

const PURGE = statement('webhook-reject-purge').takes('limit').returns(`
  DELETE FROM webhook_rejects WHERE id IN (
    SELECT id FROM webhook_rejects WHERE created_at < now() - interval '30 days'
     ORDER BY created_at LIMIT :limit FOR UPDATE SKIP LOCKED)
  RETURNING 1`);

/** Parts of webhooks that could not be read, for admins. Across accounts, because some belong to none. */
@Injectable()
export class WebhookRejectRepository {
  constructor(
    @InjectRepository(WebhookRejectEntity) private readonly rejects: Repository<WebhookRejectEntity>,
    private readonly entities: Entities,
    private readonly database: Database,
  ) {}

  /** Stores an item with its bytes, once for each content, however often it comes. The first one is kept. */
  async add(reject: NewWebhookReject): Promise<void> {
    await this.entities.use(this.rejects, (rejects) =>
      rejects.createQueryBuilder().insert().values(reject).orIgnore().execute(),
    );
  }

  /** The newest first, each cut to a number of bytes. */
  async list(beforeId: string | null, limit: number, itemBytes: number): Promise<WebhookRejectRow[]> {
    return this.entities.use(this.rejects, (rejects) => {
      const page = rejects
        .createQueryBuilder('reject')
        .select('substring(reject.item FROM 1 FOR :itemBytes)', 'item')
        .orderBy('reject.id', 'DESC')
        .limit(limit)
        .setParameters({ itemBytes });
      for (const column of SHOWN) page.addSelect(`reject.${column}`, column);
      if (beforeId !== null) page.where('reject.id < :beforeId', { beforeId });
      return page.getRawMany<WebhookRejectRow>();
    });
  }

  /** Deletes rejects older than thirty days, a bounded number at once. @returns how many. */
  async purge(limit: number): Promise<number> {
    return (await this.database.run(PURGE, { limit })).length;
  }
}
