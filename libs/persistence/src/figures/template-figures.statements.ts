import { statement } from '../database/sql.statements';
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
 * Templates by what their messages were sent with, by numbers from 1. Numbers without the phone's app name a template by the
 * provider's id, others by its name.
 */
export const NAMES = statement('figures-template-names').takes(
  'accountId',
  'botId',
  'channels',
  'names',
  'languages',
).returns<{ n: number } & Pick<TemplateEntity, 'template_id' | 'name' | 'category'>>(`
  SELECT g.n::int AS n, t.* FROM ROWS FROM (unnest(:channels::text[]), unnest(:names::text[]), unnest(:languages::text[]))
         WITH ORDINALITY g (channel, template, language, n)
    CROSS JOIN LATERAL (
      SELECT template_id, name, category FROM templates
       WHERE account_id = :accountId AND bot_id = :botId AND channel = g.channel AND language = g.language
         AND (name = g.template OR provider_id = g.template)
       ORDER BY name = g.template LIMIT 1) t`);
