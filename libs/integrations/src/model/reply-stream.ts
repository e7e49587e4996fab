import type { ModelRequest, ModelTool, ModelMessage } from '@app/domain/agent/language-model.port';
import {
  jsonSchema,
  tool,
  type ToolSet,
  isStepCount,
  streamText,
  type LanguageModel,
  type ModelMessage as ModelMessageOfSdk,
  type TextStreamPart,
} from 'ai';
import { endpointModel, type ModelEndpoint } from './model-endpoint';
import { ModelFailure, failureOf } from './model-failure';
import type { ReplyBounds } from './model-limits';
import { ReplyDraft } from './reply-draft';

const NO_MORE = 'Refused: no more tools may be called for this reply. Answer the customer now.';
const BROKEN = 'The tool failed.';

/** The tools that the model may call in one request, behind a count that it cannot bypass. */
class ToolAllowance {
  /** The tools as the SDK takes them. */
  readonly tools: ToolSet;
  private readonly bytes = new Map<string, number>();
  private callsLeft: number;
  private refused = false;

  constructor(
    { tools, toolCallsMax }: Pick<ModelRequest, 'tools' | 'toolCallsMax'>,
    private readonly argumentsBytes: number,
    private readonly signal: AbortSignal,
  ) {
    this.callsLeft = toolCallsMax;
    this.tools = Object.fromEntries(
      tools.map((given) => [
        given.name,
        tool({
          description: given.description,
          inputSchema: jsonSchema(given.parameters),
          execute: (input: unknown) => this.call(given, input),
        }),
      ]),
    );
  }

  /** Whether the model may call no more tools, so that it must write the reply next. */
  get isSpent(): boolean {
    return this.refused;
  }

  /**
   * @throws ModelFailure when the arguments of one call are too long
   */
  receive(callId: string, piece: string): void {
    const bytes = (this.bytes.get(callId) ?? 0) + Buffer.byteLength(piece);
    this.bytes.set(callId, bytes);
    if (bytes <= this.argumentsBytes) return;
    throw new ModelFailure(
      `The model called a tool with more than ${this.argumentsBytes} bytes of arguments.`,
      true,
    );
  }

  private async call(given: ModelTool, input: unknown): Promise<string> {
    if (this.callsLeft <= 0) this.refused = true;
    if (this.refused || this.signal.aborted) return NO_MORE;
    this.callsLeft -= 1;
    try {
      return await given.call(input, this.signal);
    } catch {
      return BROKEN;
    }
  }
}

// The SDK would write warnings to the console, past the log and its rules about secrets.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** Tokens besides the text: arguments of tools, and what some models think before they write. */
const SPARE_TOKENS = 2048;

/** A token is at least two characters in our customers' languages. Text with shorter tokens is cut at a sentence. */
const tokensFor = (charactersMax: number): number => Math.ceil(charactersMax / 2) + SPARE_TOKENS;

/** No token of ordinary text is longer. A model that writes more does not keep to its tokens. */
const TOKEN_CHARACTERS_MAX = 6;

/** Processes one part of the stream. @returns the reply once it is finished, or null. */
function take(
  part: TextStreamPart<ToolSet>,
  draft: ReplyDraft,
  allowance: ToolAllowance,
  apiKey: string | null,
): string | null {
  switch (part.type) {
    case 'start-step':
      draft.beginStep();
      return null;
    case 'text-delta':
      draft.write(part.text);
      return null;
    case 'tool-input-delta':
      allowance.receive(part.id, part.delta);
      return null;
    case 'error':
      throw failureOf(part.error, apiKey);
    case 'finish':
      return draft.finish(part.finishReason !== 'length' && part.finishReason !== 'content-filter');
    default:
      return null;
  }
}

/** What has no pictures stays a text: not every server takes parts. */
function messageOf({ role, text, images = [] }: ModelMessage): ModelMessageOfSdk {
  if (role === 'assistant' || images.length === 0) return { role, content: text };
  const pictures = images.map((data) => ({ type: 'file', data, mediaType: 'image/jpeg' }) as const);
  return { role, content: [{ type: 'text', text }, ...pictures] };
}

function startStream(
  model: LanguageModel,
  request: ModelRequest,
  allowance: ToolAllowance,
  signal: AbortSignal,
) {
  const { tools } = allowance;
  const hasTools = request.toolCallsMax > 0 && Object.keys(tools).length > 0;
  // Most steps: one for each call, one for the refusal of a further call, and one for the reply.
  const stepsMax = hasTools ? request.toolCallsMax + 2 : 1;
  return streamText({
    model,
    instructions: request.instructions,
    messages: request.messages.map(messageOf),
    ...(hasTools && { tools }),
    // Calls run one after the other, because one may affect the next.
    toolCallConcurrency: 1,
    prepareStep: ({ stepNumber }) =>
      hasTools && (allowance.isSpent || stepNumber === stepsMax - 1) ? { toolChoice: 'none' } : undefined,
    stopWhen: isStepCount(stepsMax),
    maxOutputTokens: tokensFor(request.charactersMax),
    // Whether to repeat a request is the caller's decision: it knows whether a reply is still wanted.
    maxRetries: 0,
    abortSignal: signal,
    telemetry: { isEnabled: false },
    // Errors arrive as parts of the stream. Without this handler the SDK would write them to the console too.
    onError: () => undefined,
  });
}

/**
 * Asks the model, runs the tools that it calls and collects its reply.
 * @returns the text, which may be empty; null when the bounds ended the request
 * @throws ModelFailure
 */
export async function streamReply(
  endpoint: ModelEndpoint,
  request: ModelRequest,
  bounds: ReplyBounds,
  argumentsBytes: number,
): Promise<string | null> {
  const { signal } = bounds;
  const draft = new ReplyDraft(request.charactersMax);
  const allowance = new ToolAllowance(request, argumentsBytes, signal);
  const { charactersMax } = request;
  const writtenMax = tokensFor(charactersMax) * TOKEN_CHARACTERS_MAX;
  const model = endpointModel(endpoint, { charactersMax, writtenMax });
  const { stream } = startStream(model, request, allowance, signal);
  // The reader is not cancelled at the end: the signal closes the stream, and a cancel would wait for the stream's
  // other branch.
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done || signal.aborted) return null;
    const text = take(value, draft, allowance, endpoint.apiKey);
    if (text !== null) return text;
  }
}
