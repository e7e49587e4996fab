import { statement } from '../database/sql.statement';
import type { TemplateEntity } from '../templates/template.entity';
import type { FigureMessageEntity } from './figure-message.entity';

/** Messages of one template that have come to the same. */
export interface TemplateCount
  extends
    Pick<
      FigureMessageEntity,
      'channel' | 'template' | 'language' | 'status' | 'error_code' | 'provider_code'
    >,
    Pick<TemplateEntity, 'name'> {
  /** As callers name it; null: the provider's name is not registered. */
  template_id: TemplateEntity['template_id'] | null;
  category: TemplateEntity['category'] | null;
  messages: number;
  /** To how many of these the customer replied. */
  replied: number;
}

/**
 * What came of a bot's templates that were sent in a span. Numbers without the phone's app name a template by the
 * provider's id, others by its name.
 */
export const TEMPLATES = statement('figures-templates').takes('accountId', 'botId', 'from', 'until')
  .returns<TemplateCount>(`
  SELECT c.*, t.template_id, coalesce(t.name, c.template) AS name, t.category
    FROM (SELECT channel, template, language, status, error_code, provider_code, count(*)::int AS messages,
                 count(*) FILTER (WHERE replied)::int AS replied
            FROM figure_messages
           WHERE account_id = :accountId AND bot_id = :botId AND at >= :from::timestamptz AND at < :until::timestamptz
             AND template IS NOT NULL
           GROUP BY 1, 2, 3, 4, 5, 6) c
    LEFT JOIN LATERAL (
      SELECT template_id, name, category FROM templates
       WHERE account_id = :accountId AND bot_id = :botId AND channel = c.channel AND language = c.language
         AND (name = c.template OR provider_id = c.template)
       ORDER BY name = c.template LIMIT 1) t ON true`);
