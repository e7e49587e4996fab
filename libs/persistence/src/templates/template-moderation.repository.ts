import type { Channel } from '@app/contracts/message.words';
import type { TemplateStatus } from '@app/contracts/template.words';
import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';
import { TEMPLATE_COLUMNS, type TemplateRow } from './template.columns';

/** A submission under way. */
export interface Claim {
  /** What the template was before. */
  from: TemplateStatus;
  /** By which nothing else has touched it since. */
  mark: string;
  /** As it is submitted: from now on nobody changes its content. */
  template: TemplateRow;
}

/** What a provider tells of a template by webhook. */
export interface TemplateNews {
  providerId: string;
  name: string;
  language: string | null;
  status: TemplateStatus | null;
  category: string | null;
  reason: string | null;
  /** By the provider's clock; null where it does not tell. */
  at: Date | null;
  businessId: string | null;
}

/** Whose templates a provider may speak of. */
export interface TemplatesMeant {
  accountId: string;
  channel: Channel;
  /** The one that the address of the webhook names; null: any. */
  botId: string | null;
}

/** Of two at once the second waits for the first one's row and then finds it pending. */
const CLAIM: PreparedStatement = {
  name: 'template-claim',
  text: `WITH was AS MATERIALIZED (
           SELECT id, status FROM templates WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE)
         UPDATE templates t SET status = 'pending', reason = NULL, updated_at = clock_timestamp()
           FROM was WHERE t.account_id = $1 AND t.id = was.id AND was.status IN ('draft', 'rejected')
         RETURNING was.status AS "from", t.updated_at::text AS mark, ${TEMPLATE_COLUMNS}`,
};

/** A webhook that was quicker than the answer has said the last word on the status, and why. */
const ACCEPT: PreparedStatement = {
  name: 'template-accept',
  text: `UPDATE templates SET provider_id = $3, updated_at = clock_timestamp(),
                status = CASE WHEN updated_at = $5::timestamptz THEN $4 ELSE status END,
                reason = CASE WHEN updated_at = $5::timestamptz THEN NULL ELSE reason END
          WHERE account_id = $1 AND id = $2`,
};
const REFUSE: PreparedStatement = {
  name: 'template-refuse',
  text: `UPDATE templates SET status = $3, reason = $4, updated_at = clock_timestamp()
          WHERE account_id = $1 AND id = $2 AND updated_at = $5::timestamptz`,
};

/**
 * By its own id, or by name and language where its id is not known yet: then only with bots of that business account,
 * for two accounts at the provider may have templates of one name. Times of the provider may be whole seconds.
 * $1 account $2 id $3 name $4 language $5 status $6 category $7 reason $8 at $9 business account $10 channel $11 bot or
 * null
 */
const REPORT: PreparedStatement = {
  name: 'template-report',
  text: `UPDATE templates t
            SET provider_id = $2, status = coalesce($5, t.status), category = coalesce($6, t.category),
                reason = CASE WHEN $5::text IS NULL THEN t.reason WHEN $5 = 'approved' THEN NULL ELSE $7 END,
                status_at = CASE WHEN $5::text IS NULL THEN t.status_at ELSE greatest(t.status_at, $8) END,
                updated_at = clock_timestamp()
          WHERE t.account_id = $1 AND t.channel = $10 AND ($11::uuid IS NULL OR t.bot_id = $11)
            AND (t.provider_id = $2
                 OR (t.provider_id IS NULL AND t.status <> 'draft' AND t.name = $3 AND t.language = replace($4, '-', '_')
                     AND ($9::text IS NULL OR EXISTS (
                       SELECT FROM bot_channels c WHERE c.account_id = $1 AND c.bot_id = t.bot_id AND c.channel = t.channel
                          AND $9 IN (c.settings ->> 'waba_id', c.settings ->> 'app_id', c.settings ->> 'app_name')))))
            AND (t.status_at IS NULL OR $8::timestamptz IS NULL OR $8 >= date_trunc('second', t.status_at))
         RETURNING t.id`,
};

/** What becomes of a template by submission and by what the provider tells of it. */
@Injectable()
export class TemplateModerationRepository {
  constructor(private readonly database: Database) {}

  /** @returns null when it is neither a draft nor rejected, or somebody else was quicker. */
  async claim(accountId: string, id: string): Promise<Claim | null> {
    const [row] = await this.database.run<TemplateRow & Omit<Claim, 'template'>>(CLAIM, [accountId, id]);
    if (!row) return null;
    const { from, mark, ...template } = row;
    return { from, mark, template };
  }

  /** The provider has taken it. */
  async accept(
    accountId: string,
    id: string,
    claim: Claim,
    providerId: string,
    status: TemplateStatus,
  ): Promise<void> {
    await this.database.run(ACCEPT, [accountId, id, providerId, status, claim.mark]);
  }

  /** The provider has refused it: it is what it was. */
  async refuse(accountId: string, id: string, claim: Claim, reason: string): Promise<void> {
    await this.database.run(REFUSE, [accountId, id, claim.from, reason, claim.mark]);
  }

  /** Nobody knows whether the provider has taken it: it is pending, with a reason. */
  async doubt(accountId: string, id: string, claim: Claim, reason: string): Promise<void> {
    await this.database.run(REFUSE, [accountId, id, 'pending', reason, claim.mark]);
  }

  /**
   * Takes in what a provider tells of a template, for every bot that shares it; what is older than what is known
   * changes nothing.
   * @returns the ids of the templates that it was about.
   */
  async report({ accountId, channel, botId }: TemplatesMeant, news: TemplateNews): Promise<string[]> {
    const { providerId, name, language, status, category, reason, at, businessId } = news;
    const values = [
      accountId,
      providerId,
      name,
      language,
      status,
      category,
      reason,
      at,
      businessId,
      channel,
      botId,
    ];
    return (await this.database.run<{ id: string }>(REPORT, values)).map(({ id }) => id);
  }
}
