import type { Channel } from '@app/contracts/message.words';
import { Injectable } from '@nestjs/common';
import { AuditRepository, type AuditEntryOf } from '../audit/audit.repository';
import { Database } from '../database/database.service';
import type { NotNull } from '../database/row-types';
import { statement } from '../database/sql.statements';
import type { TemplateRow } from './template.entity';
import { appendTemplateEvents, TOLD_COLUMNS } from './template-moderation.repository';

/** A template as the provider lists it. `id` is used where the template is new here. */
export type ListedTemplate = Pick<
  TemplateRow,
  | 'id'
  | 'name'
  | 'language'
  | 'category'
  | 'status'
  | 'parameter_format'
  | 'header'
  | 'body'
  | 'footer'
  | 'buttons'
  | 'examples'
  | 'params_count'
  | 'param_names'
  | 'add_security_recommendation'
  | 'code_expiration_minutes'
  | 'quality'
  | 'reason'
> &
  NotNull<Pick<TemplateRow, 'provider_id'>>;

export interface SynchroniseCounts {
  /** New here. */
  added: number;
  /** Known here, and different at the provider. */
  changed: number;
  /** Known here, and no longer at the provider. */
  disabled: number;
}

const NOW = statement('template-list-start').returns<{ now: string }>(
  'SELECT clock_timestamp()::text AS now',
);

/** Fields that only the provider knows, and fields that are ours while a template is rejected. */
const PROVIDER_FIELDS = 'provider_id, status, quality, reason';
const CONTENT =
  'category, parameter_format, header, body, footer, buttons, params_count, param_names, add_security_recommendation, code_expiration_minutes';
const TELLS = TOLD_COLUMNS.map((column) => `t.${column}`).join(', ');
const of = (columns: string, row: string): string => columns.replace(/\w+/g, (column) => `${row}.${column}`);
/** Not every list has the quality; a webhook may have told it. */
const LISTED = of(PROVIDER_FIELDS, 'EXCLUDED').replace(
  'EXCLUDED.quality',
  'coalesce(EXCLUDED.quality, t.quality)',
);

/**
 * The content of a rejected template may have been changed here, or may be in a submission that the provider did not
 * accept.
 */
const OURS = `(EXCLUDED.status = 'rejected' AND t.status IN ('rejected', 'pending'))`;

/** Of samples the provider tells some, such as none of files: those of ours stay. */
const SAMPLES = `t.examples || CASE WHEN ${OURS} THEN '{}' ELSE EXCLUDED.examples END`;

/** What a person typed into a draft is not replaced by other words. One that says the same has become the provider's. */
const WORDS = 'header, body, footer, buttons';
const KEEPS_DRAFT = `(t.status = 'draft' AND (${of(WORDS, 't')}) IS DISTINCT FROM (${of(WORDS, 'EXCLUDED')}))`;

/**
 * Applies the provider's list, or a part of it, in one statement. Only of the whole list what is not in it is gone. A template that changed here after the list was requested is newer
 * and stays, so no webhook and no submission is overwritten. A submission whose answer was lost is settled: it is in
 * the list, or it becomes a draft again. A submission without an answer is given up after five minutes, because its
 * process died. Until then a rejected template that was submitted again stays pending, although the provider may
 * still list it as rejected. A new template gets the provider's name as ours, unless another template here has that
 * name.
 */
const SYNCHRONISE = statement('template-synchronise').takes(
  'accountId',
  'botId',
  'channel',
  'listed',
  'since',
  'isWhole',
).returns<SynchroniseCounts & { told: number }>(`
  WITH listed AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(:listed::jsonb) AS l (id uuid, name text, language text, provider_id text, category text,
      status text, parameter_format text, header jsonb, body text, footer text, buttons jsonb, examples jsonb, params_count integer,
      param_names text[], add_security_recommendation boolean, code_expiration_minutes integer, quality text, reason text)),
  -- Locked first: its state is the one that is changed.
  known AS MATERIALIZED (
    SELECT id, status FROM templates
     WHERE account_id = :accountId AND bot_id = :botId AND channel = :channel ORDER BY id FOR NO KEY UPDATE),
  put AS (
    INSERT INTO templates AS t (account_id, id, bot_id, channel, template_id, name, language, ${PROVIDER_FIELDS}, ${CONTENT}, examples, status_at)
    SELECT :accountId, l.id, :botId, :channel,
           CASE WHEN EXISTS (SELECT FROM templates o WHERE o.account_id = :accountId AND o.bot_id = :botId AND o.channel = :channel
                                AND o.template_id = l.name AND o.language = l.language AND o.name <> l.name)
                THEN l.name || ':' || l.provider_id ELSE l.name END,
           l.name, l.language, ${of(PROVIDER_FIELDS, 'l')}, ${of(CONTENT, 'l')}, l.examples, :since::timestamptz
      FROM listed l CROSS JOIN (SELECT count(*) FROM known) after_the_lock
    ON CONFLICT (account_id, bot_id, channel, name, language) DO UPDATE
       SET (${PROVIDER_FIELDS}) = ROW (${LISTED}),
           (${CONTENT}) = ROW (${CONTENT.replace(/\w+/g, (c) => `CASE WHEN ${OURS} THEN t.${c} ELSE EXCLUDED.${c} END`)}),
           examples = ${SAMPLES}, updated_at = clock_timestamp(),
           status_at = CASE WHEN t.status = EXCLUDED.status THEN t.status_at ELSE greatest(t.status_at, EXCLUDED.status_at) END
     WHERE t.updated_at <= :since::timestamptz AND NOT ${KEEPS_DRAFT}
       AND NOT (${OURS} AND t.status = 'pending' AND t.reason IS NULL AND t.status_at IS NOT NULL
                AND t.updated_at > :since::timestamptz - interval '5 minutes')
       AND ((${of(PROVIDER_FIELDS, 't')}) IS DISTINCT FROM (${LISTED})
            OR NOT ${OURS} AND (${of(CONTENT, 't')}, t.examples) IS DISTINCT FROM (${of(CONTENT, 'EXCLUDED')}, ${SAMPLES}))
    -- A row that was inserted and not updated has no xmax.
    RETURNING ${TELLS}, t.xmax = 0 AS added),
  gone AS (
    UPDATE templates t
       SET status = CASE WHEN t.provider_id IS NULL THEN 'draft' ELSE 'disabled' END,
           reason = CASE WHEN t.provider_id IS NULL THEN t.reason ELSE 'The provider no longer has it.' END,
           status_at = CASE WHEN t.provider_id IS NULL THEN t.status_at ELSE greatest(t.status_at, :since::timestamptz) END,
           updated_at = clock_timestamp()
      FROM (SELECT count(*) FROM known) after_the_lock
     WHERE t.account_id = :accountId AND t.bot_id = :botId AND t.channel = :channel AND t.updated_at <= :since::timestamptz AND :isWhole
       AND CASE WHEN t.provider_id IS NULL
                THEN t.status = 'pending' AND (t.reason IS NOT NULL OR t.updated_at < :since::timestamptz - interval '5 minutes')
                ELSE t.status <> 'disabled' END
       AND NOT EXISTS (SELECT FROM listed l WHERE l.name = t.name AND l.language = t.language)
    RETURNING ${TELLS}),
  changed AS (
    SELECT c.*, k.status AS was
      FROM (SELECT ${TOLD_COLUMNS.join(', ')} FROM put UNION ALL SELECT ${TOLD_COLUMNS.join(', ')} FROM gone) c
      JOIN known k ON k.id = c.id),
  told AS (${appendTemplateEvents('changed')})
  SELECT (SELECT count(*) FROM put WHERE added)::int AS added,
         (SELECT count(*) FROM put WHERE NOT added)::int AS changed,
         (SELECT count(*) FROM gone WHERE status = 'disabled')::int AS disabled,
         (SELECT count(*) FROM told)::int AS told`);

/** Characters that PostgreSQL cannot store in text. A provider's list may contain them. */
const keepable = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value;

/** Compares the registry with the provider's list. */
@Injectable()
export class TemplateListRepository {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /** The database's time in full precision, for {@link synchronise}. */
  async now(): Promise<string> {
    const [row] = await this.database.run(NOW);
    if (!row) throw new Error('the database told no time');
    return row.now;
  }

  /**
   * @param listed the templates of the provider, each name and language once
   * @param isWhole whether they are all that it has: only then what is not among them is gone
   * @param since when the list was requested, by {@link now}
   */
  async synchronise(
    accountId: string,
    botId: string,
    channel: Channel,
    { listed, isWhole }: { listed: readonly ListedTemplate[]; isWhole: boolean },
    since: string,
    entryOf: AuditEntryOf<SynchroniseCounts>,
  ): Promise<SynchroniseCounts> {
    const values = {
      accountId,
      botId,
      channel,
      listed: JSON.stringify(listed, keepable),
      since,
      isWhole,
    };
    return this.database.transactFor(accountId, async (tx) => {
      const [row = { added: 0, changed: 0, disabled: 0 }] = await tx.run(SYNCHRONISE, values);
      const { added, changed, disabled } = row;
      const counts = { added, changed, disabled };
      await this.audit.append(tx, entryOf(counts));
      return counts;
    });
  }

  /**
   * One template as the provider has it.
   * @returns whether one that was known is in another state now
   */
  async put(
    accountId: string,
    botId: string,
    channel: Channel,
    template: ListedTemplate,
    since: string,
  ): Promise<boolean> {
    const listed = JSON.stringify([template], keepable);
    const values = { accountId, botId, channel, listed, since, isWhole: false };
    const [row] = await this.database.runFor(accountId, SYNCHRONISE, values);
    return (row?.told ?? 0) > 0;
  }
}
