import type { AuditedTool } from '@app/persistence/assistants/assistant-tool.repository';
import type { AuditedThing } from '../audit/audited.thing';

export const AUDITED_TOOL: AuditedThing<AuditedTool> = {
  type: 'tool',
  subjectOf: ({ account_id: accountId, id, name }) => ({ accountId, id, name }),
  shown: [
    ...(['name', 'description', 'method', 'url', 'parameters', 'auto_fill'] as const),
    ...(['header_names', 'timeout_ms', 'enabled'] as const),
  ],
  secret: ['headers'],
};
