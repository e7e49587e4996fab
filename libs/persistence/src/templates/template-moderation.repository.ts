import type { TemplateStatus, TemplateQuality } from '@app/contracts/template.words';
import type { Channel } from '@app/contracts/message.words';
import type { EntityManager } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { statement, runWith } from '../database/sql.statements';
import { appendAccountEvents } from '../events/event.statements';
import { AuditRepository, type AuditEntryOf, type Changed } from '../audit/audit.repository';
import { CLOCK } from '../database/column-defaults';
import { Database } from '../database/database.service';
import { Entities } from '../database/entities.service';
import { returnedRow } from '../database/row-types';
import { type TemplateRow, TemplateEntity } from './template.entity';

/** What the fragments below tell of a template, and which it is. */
export const TOLD_COLUMNS = [
  'account_id',
  'id',
  'bot_id',
  'channel',
  'template_id',
  'name',
  'language',
  'status',
  'reason',
];

/**
 * Tells of templates that are in another state now.
 * @param templates rows with {@link TOLD_COLUMNS} and `was`, the former state
 * @param by who decided so, an expression
 */
export const appendTemplateEvents = (templates: string, by = `'PROVIDER'`): string =>
  appendAccountEvents(
    `(SELECT t.account_id, o.assistant_id, jsonb_build_object(
               'by', ${by}, 'id', t.id, 'template_id', t.template_id, 'bot_id', t.bot_id, 'channel', t.channel,
               'name', t.name, 'language', t.language, 'from', t.was, 'to', t.status, 'reason', t.reason) AS body
        FROM ${templates} t JOIN bots o ON o.account_id = t.account_id AND o.id = t.bot_id
       WHERE t.status <> t.was)`,
    `'template'`,
  );

const TELL = statement('template-event-tell').takes('accountId', 'id', 'was', 'by').returns(`
  WITH changed AS (
    SELECT ${TOLD_COLUMNS.join(', ')}, :was::text AS was FROM templates WHERE account_id = :accountId AND id = :id)
  ${appendTemplateEvents('changed', ':by::text')}`);

/** Tells of a template that was just changed, in the same transaction, unless it is in the state in which it was. */
async function tellOfTemplate(
  manager: EntityManager,
  accountId: string,
  id: string,
  was: TemplateStatus,
  by: 'PROVIDER' | 'SYSTEM',
): Promise<void> {
  await runWith(manager, TELL, { accountId, id, was, by });
}

/** A submission under way. */
export interface Claim {
  /** The template's former state. */
  from: TemplateStatus;
  /** The mark that shows whether the template has been changed since. */
  mark: string;
  /** The template as submitted. From now on its content cannot be changed. */
  template: TemplateRow;
}

/** A provider's report about a template, by webhook. */
export interface TemplateUpdate {
  providerId: string;
  name: string;
  language: string | null;
  status: TemplateStatus | null;
  category: string | null;
  quality?: TemplateQuality;
  reason: string | null;
  /** By the provider's clock; null where the report has no time. */
  at: Date | null;
  businessId: string | null;
}

/** The owner of the templates about which a report may speak. */
export interface TemplatesMeant {
  accountId: string;
  channel: Channel;
  /** The bot that the webhook's address names; null: any. */
  botId: string | null;
}

/**
 * The template of a report: by its provider's id or, where that is not known yet, by name and language. Then only of bots of that
 * business account, because two accounts at the provider may have templates with the same name. A report may be as old as the
 * second in which the state was last changed: times of the provider may be whole seconds.
 */
const MEANT = `t.account_id = :accountId AND t.channel = :channel AND (:botId::uuid IS NULL OR t.bot_id = :botId)
       AND (t.provider_id = :providerId
            OR (t.provider_id IS NULL AND t.status <> 'draft' AND t.name = :name
                AND t.language = replace(:language, '-', '_')
                AND (:businessId::text IS NULL OR EXISTS (
                  SELECT FROM bot_channels c
                   WHERE c.account_id = :accountId AND c.bot_id = t.bot_id AND c.channel = t.channel
                     AND :businessId IN (c.settings ->> 'waba_id', c.settings ->> 'app_id', c.settings ->> 'app_name')))))
       AND (t.status_at IS NULL OR :at::timestamptz IS NULL OR :at >= date_trunc('second', t.status_at))`;

/** How many templates are in another state now, and were told of. */
interface Reported {
  told: number;
}

const REPORT = statement('template-report').takes(
  'accountId',
  'providerId',
  'name',
  'language',
  'status',
  'category',
  'quality',
  'reason',
  'at',
  'businessId',
  'channel',
  'botId',
).returns<Reported>(`
  WITH meant AS MATERIALIZED (
    SELECT t.id, t.status FROM templates t
     WHERE ${MEANT} ORDER BY t.id FOR NO KEY UPDATE),
  changed AS (
    UPDATE templates t
       SET provider_id = :providerId, status = coalesce(:status, t.status), category = coalesce(:category, t.category),
           quality = coalesce(:quality, t.quality),
           reason = CASE WHEN :status::text IS NULL THEN t.reason WHEN :status = 'approved' THEN NULL ELSE :reason END,
           status_at = CASE WHEN :status::text IS NULL THEN t.status_at ELSE greatest(t.status_at, :at) END,
           updated_at = clock_timestamp()
      FROM meant m WHERE t.account_id = :accountId AND t.id = m.id
    RETURNING ${TOLD_COLUMNS.map((column) => `t.${column}`).join(', ')}, m.status AS was),
  told AS (${appendTemplateEvents('changed')})
  SELECT (SELECT count(*)::int FROM told) AS told`);

/** The state of a template during submission, and after reports of the provider. */
@Injectable()
export class TemplateModerationRepository {
  constructor(
    private readonly entities: Entities,
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Of two calls at once the second waits for the row and then finds it pending.
   * @returns null when it is neither a draft nor rejected, or another call was faster.
   */
  async claim(
    accountId: string,
    id: string,
    entryOf: AuditEntryOf<Changed<TemplateRow>>,
  ): Promise<Claim | null> {
    const where = { account_id: accountId, id };
    return this.entities.transactFor(accountId, async (manager) => {
      const lock = { mode: 'for_no_key_update' } as const;
      const was = await manager.findOne(TemplateEntity, { where, lock });
      if (was?.status !== 'draft' && was?.status !== 'rejected') return null;
      const change = { status: 'pending', reason: null, updated_at: CLOCK } as const;
      const update = manager.createQueryBuilder().update(TemplateEntity).set(change).where(where);
      const template = returnedRow<TemplateRow & { mark: string }>(
        await update.returning('*, updated_at::text AS mark').execute(),
      );
      if (!template) return null;
      const { mark, ...row } = template;
      await this.audit.append(manager, entryOf({ before: was, after: row }));
      await tellOfTemplate(manager, accountId, id, was.status, 'SYSTEM');
      return { from: was.status, mark, template: row };
    });
  }

  /** The provider has accepted it. If a webhook came before the answer, its status and reason stay. */
  async accept(
    accountId: string,
    id: string,
    claim: Claim,
    providerId: string,
    status: TemplateStatus,
  ): Promise<void> {
    const untouched = 'CASE WHEN updated_at = CAST(:mark AS timestamptz)';
    await this.changing(accountId, id, async (manager) => {
      await manager
        .createQueryBuilder()
        .update(TemplateEntity)
        .set({
          provider_id: providerId,
          status: () => `${untouched} THEN :accepted ELSE status END`,
          reason: () => `${untouched} THEN NULL ELSE reason END`,
          updated_at: CLOCK,
        })
        .where({ account_id: accountId, id })
        .setParameters({ mark: claim.mark, accepted: status })
        .execute();
    });
  }

  /** The provider has refused it, so it gets its former state back. */
  async refuse(accountId: string, id: string, claim: Claim, reason: string): Promise<void> {
    await this.settle(accountId, id, claim, { status: claim.from, reason });
  }

  /** It is unknown whether the provider has accepted it. It is pending, with a reason. */
  async doubt(accountId: string, id: string, claim: Claim, reason: string): Promise<void> {
    await this.settle(accountId, id, claim, { status: 'pending', reason });
  }

  /** Unless it has been changed since. */
  private async settle(
    accountId: string,
    id: string,
    claim: Claim,
    change: Pick<TemplateEntity, 'status' | 'reason'>,
  ): Promise<void> {
    await this.changing(accountId, id, async (manager) => {
      await manager
        .createQueryBuilder()
        .update(TemplateEntity)
        .set({ ...change, updated_at: CLOCK })
        .where({ account_id: accountId, id })
        .andWhere('updated_at = CAST(:mark AS timestamptz)', { mark: claim.mark })
        .execute();
    });
  }

  /** Changes a template under its lock, and tells of its new state. */
  private async changing(
    accountId: string,
    id: string,
    change: (manager: EntityManager) => Promise<void>,
  ): Promise<void> {
    await this.entities.transactFor(accountId, async (manager) => {
      const where = { account_id: accountId, id };
      const lock = { mode: 'for_no_key_update' } as const;
      const was = await manager.findOne(TemplateEntity, { select: { status: true }, where, lock });
      if (!was) return;
      await change(manager);
      await tellOfTemplate(manager, accountId, id, was.status, 'PROVIDER');
    });
  }

  /**
   * Applies a provider's report about a template, for every bot that shares it. A report older than the stored one
   * changes nothing.
   * @returns how many of them are in another state now.
   */
  async report({ accountId, channel, botId }: TemplatesMeant, news: TemplateUpdate): Promise<number> {
    const { quality = null } = news;
    const [row] = await this.database.run(REPORT, { accountId, channel, botId, ...news, quality });
    return row?.told ?? 0;
  }
}
