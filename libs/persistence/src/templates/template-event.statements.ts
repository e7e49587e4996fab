import type { TemplateStatus } from '@app/contracts/template.words';
import type { EntityManager } from 'typeorm';
import { statement } from '../database/sql.statements';
import { runWith } from '../database/transaction.statements';
import { appendAccountEvents } from '../events/account-event.statements';

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
export async function tellOfTemplate(
  manager: EntityManager,
  accountId: string,
  id: string,
  was: TemplateStatus,
  by: 'PROVIDER' | 'SYSTEM',
): Promise<void> {
  await runWith(manager, TELL, { accountId, id, was, by });
}
