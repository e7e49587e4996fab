import type { ToolDefinition, ToolRow } from '@app/persistence/assistants/assistant-tool.repository';

/** An agent's tool as admins see it. The values of its headers are never shown. */
export type Tool = ToolDefinition & {
  id: string;
  assistant_id: string;
  header_names: string[];
  created_at: string;
};

export function presentTool({ created_at: createdAt, ...row }: ToolRow): Tool {
  return { ...row, created_at: createdAt.toISOString() };
}
