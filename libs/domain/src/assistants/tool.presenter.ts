import type { ToolDefinition, ToolRow } from '@app/persistence/assistants/assistant-tool.repository';

/** An agent's tool as its governors see it: never the values of its headers. */
export type Tool = ToolDefinition & {
  id: string;
  assistant_id: string;
  header_names: string[];
  created_at: string;
};

export function presentTool({ created_at: createdAt, ...row }: ToolRow): Tool {
  return { ...row, created_at: createdAt.toISOString() };
}
