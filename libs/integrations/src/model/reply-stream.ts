import type { ModelMessage, ModelRequest } from '@app/domain/agent/language-model.port';
import {
  isStepCount,
  streamText,
  type LanguageModel,
  type ModelMessage as ModelMessageOfSdk,
  type TextStreamPart,
  type ToolSet,
} from 'ai';
import { failureOf } from './model-failure';
import { endpointModel, type ModelEndpoint } from './model-endpoint';
import type { ReplyBounds } from './reply-bounds';
import { ReplyDraft } from './reply-draft';
import { ToolAllowance } from './tool-allowance';

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
