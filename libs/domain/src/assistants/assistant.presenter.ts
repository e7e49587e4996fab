import type { AssistantRow, AssistantSettings } from '@app/persistence/assistants/assistant.repository';

/** An agent as admins see it. */
export type Assistant = AssistantSettings & {
  id: string;
  account_id: string;
  name: string;
  created_at: string;
};

export function presentAssistant({ created_at: createdAt, ...row }: AssistantRow): Assistant {
  return { ...row, created_at: createdAt.toISOString() };
}
