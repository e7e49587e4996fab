import type { TemplateEntity } from './template.entity';

/** A template of a bot's registry. */
export type TemplateRow = Omit<TemplateEntity, 'mark'>;

/** The part of a template that can be changed until it is approved, and the counts derived from it. */
export type TemplateContent = Pick<
  TemplateRow,
  | 'category'
  | 'header'
  | 'body'
  | 'footer'
  | 'buttons'
  | 'examples'
  | 'params_count'
  | 'param_names'
  | 'add_security_recommendation'
  | 'code_expiration_minutes'
>;
