import type { OwnedStage } from '@app/persistence/assistants/stage.repository';
import type { AuditedThing } from '../audit/audited.thing';

export const AUDITED_STAGE: AuditedThing<OwnedStage> = {
  type: 'status',
  subjectOf: ({ account_id: accountId, id, name }) => ({ accountId, id, name }),
  shown: [
    ...(['assistant_id', 'name', 'kind', 'order', 'description'] as const),
    ...(['ai_enabled', 'ai_transition_locked', 'on_enter'] as const),
  ],
};
