import type { Channel } from '@app/contracts/message.words';
import type {
  ParameterFormat,
  TemplateButton,
  TemplateCategory,
  TemplateHeader,
  TemplateQuality,
  TemplateStatus,
} from '@app/contracts/template.words';
import { isoOrNull } from '@app/contracts/values/iso-time';
import type { TemplateRow } from '@app/persistence/templates/template.entity';
import type { AuditedThing } from '../audit/audited-thing';

/** A template as integrators see it. */
export interface Template {
  template_id: string;
  name: string;
  language: string;
  status: TemplateStatus;
  category: TemplateCategory;
  body: string;
  header: TemplateHeader | null;
  footer: string | null;
  buttons: TemplateButton[];
  params_count: number;
}

/** A template as admins see it. */
export interface GovernedTemplate extends Template {
  id: string;
  account_id: string;
  bot_id: string;
  channel: Channel;
  parameter_format: ParameterFormat;
  /** The names of the body's variables, in order; empty where they are numbers. */
  param_names: string[];
  examples: { header?: string; media_id?: string; body?: string[] };
  provider_id: string | null;
  /** Of an authentication template: whether WhatsApp adds its advice to share the code with nobody. */
  add_security_recommendation: boolean;
  /** Of an authentication template: for how long its footer says that the code is good. */
  code_expiration_minutes: number | null;
  quality: TemplateQuality | null;
  reason: string | null;
  status_at: string | null;
  created_at: string;
  updated_at: string;
}

export function presentTemplate(row: TemplateRow): Template {
  const { template_id, name, language, status, category, body, header, footer, buttons, params_count } = row;
  return { template_id, name, language, status, category, body, header, footer, buttons, params_count };
}

export function presentGovernedTemplate(row: TemplateRow): GovernedTemplate {
  const { id, account_id, bot_id, channel, parameter_format, param_names, examples } = row;
  const { provider_id, quality, reason, add_security_recommendation, code_expiration_minutes } = row;
  return {
    ...{ id, account_id, bot_id, channel },
    ...presentTemplate(row),
    ...{ parameter_format, param_names, examples, provider_id, quality, reason },
    ...{ add_security_recommendation, code_expiration_minutes },
    status_at: isoOrNull(row.status_at),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export const AUDITED_TEMPLATE: AuditedThing<TemplateRow> = {
  type: 'template',
  subjectOf: ({ account_id: accountId, id, name }) => ({ accountId, id, name }),
  shown: [
    ...(['bot_id', 'channel', 'template_id', 'name', 'language', 'category', 'status'] as const),
    ...(['parameter_format', 'header', 'body', 'footer', 'buttons', 'examples'] as const),
    ...(['add_security_recommendation', 'code_expiration_minutes'] as const),
  ],
};
