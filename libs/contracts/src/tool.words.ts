/** How a tool of an agent is called. */
export const TOOL_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export type ToolMethod = (typeof TOOL_METHODS)[number];

/** Of an address that a tenant chooses, in UTF-16 code units. */
export const URL_LONGEST = 2_048;

/** An argument that the service fills in from the dialog. The model does not choose it. */
export const TOOL_FACTS = [
  'thread_id',
  'phone',
  'customer_name',
  'assistant_id',
  'bot_id',
  'channel',
  'status_id',
] as const;

export type ToolFact = (typeof TOOL_FACTS)[number];

/** Tools that every agent has without being given them. */
export const OWN_TOOL_NAMES = ['move_lead', 'hand_over'] as const;
