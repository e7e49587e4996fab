import { type Answer, objectOf, record, text } from '../http/json.answer';

/** A refusal in OpenAI's form. */
export class ModelError extends Error {
  constructor(
    readonly httpStatus: number,
    message: string,
    readonly details: { type?: string; param?: string; code?: string; retryAfterSeconds?: number } = {},
  ) {
    super(message);
  }
}

/** A request that violates the protocol. */
export const malformed = (message: string, param?: string): ModelError =>
  new ModelError(400, message, { param });

export const answerOfError = ({ httpStatus, message, details }: ModelError): Answer => ({
  status: httpStatus,
  body: {
    error: {
      message,
      type: details.type ?? 'invalid_request_error',
      param: details.param ?? null,
      code: details.code ?? null,
    },
  },
  headers:
    details.retryAfterSeconds === undefined ? {} : { 'retry-after': String(details.retryAfterSeconds) },
});

/** The part of a message of the conversation that the scripted model reads. */
interface ConversationMessage {
  role: string;
  text: string;
  /** Of an assistant's message: the calls it made. */
  callIds: readonly string[];
  /** Of a tool's message: the call that it answers. */
  answers: string | null;
}

interface OfferedTool {
  name: string;
  /** The JSON schema of its arguments. */
  parameters: Record<string, unknown>;
}

/** A client's request to the model. */
export interface ChatRequest {
  model: string;
  messages: readonly ConversationMessage[];
  tools: readonly OfferedTool[];
  stream: boolean;
  /** Whether the stream ends with a count of tokens. */
  withUsage: boolean;
}

const ROLES = ['developer', 'system', 'user', 'assistant', 'tool'];
const TOOLS_MAX = 128;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Reads the body of a chat completion as strictly as OpenAI does, so that what passes here passes there.
 * @throws ModelError
 */
export function readChatRequest(body: Buffer): ChatRequest {
  const given = objectOf(body);
  if (!given) throw malformed('We could not parse the JSON body of your request.');
  const model = text(given.model);
  if (!model) throw malformed('you must provide a model parameter');
  if (!Array.isArray(given.messages)) throw malformed("Missing required parameter: 'messages'.", 'messages');
  if (given.messages.length === 0)
    throw malformed("Invalid 'messages': empty array. Expected an array with minimum length 1.", 'messages');
  const messages = given.messages.map(readMessage);
  requireAnswers(messages);
  const tools = readTools(given);
  const stream = given.stream === true;
  if (given.stream_options !== undefined && given.stream_options !== null && !stream)
    throw malformed(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      'stream_options',
    );
  return {
    model,
    messages,
    tools,
    stream,
    withUsage: record(given.stream_options)?.include_usage === true,
  };
}

function readMessage(value: unknown, index: number): ConversationMessage {
  const at = `messages[${index}]`;
  const message = record(value);
  const role = text(message?.role) ?? '';
  if (!message || !ROLES.includes(role))
    throw malformed(`Invalid value: '${role}'. Supported values are: ${ROLES.join(', ')}.`, `${at}.role`);
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.map(record) : [];
  if (message.content === undefined || message.content === null) {
    if (role !== 'assistant' || calls.length === 0)
      throw malformed('Invalid value for content: expected a string, got null.', `${at}.content`);
  }
  const callIds = calls.map((call, n) => {
    const made = record(call?.function);
    const id = text(call?.id);
    if (!id || text(made?.name) === null || text(made?.arguments) === null)
      throw malformed(
        'A tool call needs id, function.name and function.arguments.',
        `${at}.tool_calls[${n}]`,
      );
    return id;
  });
  const answers = text(message.tool_call_id);
  if (role === 'tool' && answers === null)
    throw malformed(`Missing required parameter: '${at}.tool_call_id'.`, `${at}.tool_call_id`);
  return { role, text: contentOf(message.content, at), callIds, answers };
}

function contentOf(content: unknown, at: string): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  if (!Array.isArray(content))
    throw malformed('Invalid type for content: expected a string or an array.', `${at}.content`);
  return content.map((part) => text(record(part)?.text) ?? '').join('');
}

/** Each call of a tool is answered directly after it, and nothing else is answered. */
function requireAnswers(messages: readonly ConversationMessage[]): void {
  let open = new Set<string>();
  for (const [index, { role, callIds, answers }] of [...messages, END].entries()) {
    if (role === 'tool') {
      if (!open.delete(answers ?? ''))
        throw malformed(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          `messages[${index}].role`,
        );
      continue;
    }
    if (open.size > 0)
      throw malformed(
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
        `messages[${index}].role`,
      );
    open = new Set(callIds);
  }
}

const END: ConversationMessage = { role: 'end', text: '', callIds: [], answers: null };

function readTools({ tools, tool_choice: choice }: Record<string, unknown>): OfferedTool[] {
  if (tools === undefined || tools === null) {
    if (choice !== undefined && choice !== null)
      throw malformed("'tool_choice' is only allowed when 'tools' are specified.", 'tool_choice');
    return [];
  }
  if (!Array.isArray(tools) || tools.length === 0 || tools.length > TOOLS_MAX)
    throw malformed(`Invalid 'tools': expected an array of 1 to ${TOOLS_MAX} tools.`, 'tools');
  return tools.map((value, index) => {
    const given = record(value);
    const made = record(given?.function);
    const name = text(made?.name) ?? '';
    if (given?.type !== 'function' || !made || !TOOL_NAME.test(name))
      throw malformed(
        `Invalid 'tools[${index}].function.name': string does not match pattern.`,
        `tools[${index}].function.name`,
      );
    const parameters = record(made.parameters);
    if (made.parameters !== undefined && parameters?.type !== 'object')
      throw malformed(
        `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"'.`,
        `tools[${index}].function.parameters`,
      );
    return { name, parameters: parameters ?? {} };
  });
}

/** The customer's last message. */
export const lastWords = ({ messages }: ChatRequest): string =>
  messages.findLast(({ role }) => role === 'user')?.text ?? '';

/** The tools' results since the customer wrote, oldest first. */
export function toldByTools({ messages }: ChatRequest): string[] {
  const since = messages.findLastIndex(({ role }) => role === 'user');
  return messages
    .slice(since + 1)
    .filter(({ role }) => role === 'tool')
    .map((message) => message.text);
}
