import type { TemplateRow } from '@app/persistence/templates/template.entity';
import type { AuditedThing } from '../audit/audited-thing';

export const AUDITED_TEMPLATE: AuditedThing<TemplateRow> = {
  type: 'template',
  subjectOf: ({ account_id: accountId, id, name }) => ({ accountId, id, name }),
  shown: [
    ...(['bot_id', 'channel', 'template_id', 'name', 'language', 'category', 'status'] as const),
    ...(['parameter_format', 'header', 'body', 'footer', 'buttons', 'examples'] as const),
    ...(['add_security_recommendation', 'code_expiration_minutes'] as const),
  ],
};
