import type { AssistantRow } from '@app/persistence/assistants/assistant.repository';
import type { AuditedThing } from '../audit/audited.thing';

export const AUDITED_ASSISTANT: AuditedThing<AssistantRow> = {
  type: 'assistant',
  subjectOf: ({ account_id: accountId, id, name }) => ({ accountId, id, name }),
  shown: [
    ...([
      'name',
      'instructions',
      'model',
      'model_options',
      'reply_delay_ms',
      'reply_parts_max',
      'reply_characters_max',
    ] as const),
    ...(['replies_per_hour', 'barred_kinds', 'handover_text', 'auto_return_minutes', 'vision'] as const),
  ],
};
