import type { Channel } from '@app/contracts/message.words';
import type {
  ParameterFormat,
  TemplateButton,
  TemplateCategory,
  TemplateHeader,
  TemplateStatus,
} from '@app/contracts/template.words';

/** A template of a bot's registry. */
export interface TemplateRow {
  id: string;
  account_id: string;
  bot_id: string;
  channel: Channel;
  /** Our name for it; its languages share it. */
  template_id: string;
  /** The provider's name for it. */
  name: string;
  language: string;
  category: TemplateCategory;
  status: TemplateStatus;
  /** The provider's id; null until it is known. */
  provider_id: string | null;
  parameter_format: ParameterFormat;
  header: TemplateHeader | null;
  body: string;
  footer: string | null;
  buttons: TemplateButton[];
  examples: { header?: string; body?: string[] };
  /** Distinct variables of the body. */
  params_count: number;
  /** The names of the body's variables in the order in which they first stand there; none where they are numbers. */
  param_names: string[];
  /** Why it was refused, paused or disabled, or why nobody knows. */
  reason: string | null;
  /** When the provider last said how it stands, by its own clock where it tells; null until it did. */
  status_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** What may be mended of a template until it is sendable, and what is counted of that. */
export type TemplateContent = Pick<
  TemplateRow,
  'category' | 'header' | 'body' | 'footer' | 'buttons' | 'examples' | 'params_count' | 'param_names'
>;

/** The columns of {@link TemplateRow}, of `templates t`. */
export const TEMPLATE_COLUMNS = `
  t.id, t.account_id, t.bot_id, t.channel, t.template_id, t.name, t.language, t.category, t.status, t.provider_id,
  t.parameter_format, t.header, t.body, t.footer, t.buttons, t.examples, t.params_count, t.param_names, t.reason,
  t.status_at, t.created_at, t.updated_at`;
