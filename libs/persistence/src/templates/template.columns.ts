import type { TemplateEntity } from './template.entity';

/** A template of a bot's registry. */
export type TemplateRow = Omit<TemplateEntity, 'mark'>;

/** The part of a template that can be changed until it is approved, and the counts derived from it. */
export type TemplateContent = Pick<
  TemplateRow,
  'category' | 'header' | 'body' | 'footer' | 'buttons' | 'examples' | 'params_count' | 'param_names'
>;

/** The columns of {@link TemplateRow}, of `templates t`. */
export const TEMPLATE_COLUMNS = `
  t.id, t.account_id, t.bot_id, t.channel, t.template_id, t.name, t.language, t.category, t.status, t.provider_id,
  t.parameter_format, t.header, t.body, t.footer, t.buttons, t.examples, t.params_count, t.param_names, t.reason,
  t.status_at, t.created_at, t.updated_at`;
