import type { ModelRequest } from '@app/domain/agent/language-model.port';
import { isStepCount, streamText, type LanguageModel, type TextStreamPart, type ToolSet } from 'ai';
import { failureOf } from './model.failure';
import { endpointModel, type ModelEndpoint } from './model.endpoint';
import type { ReplyBounds } from './reply.bounds';
import { ReplyDraft } from './reply.draft';
import { ToolAllowance } from './tool.allowance';

// Warnings of the SDK would go to the console, past the log and its rules about secrets.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** Tokens beside the text's own: arguments of tools, and what some models think before they write. */
const SPARE_TOKENS = 2048;

/** A token is at least two characters in the languages of our customers. Text that takes more is cut at a sentence. */
const tokensFor = (charactersMax: number): number => Math.ceil(charactersMax / 2) + SPARE_TOKENS;

/** One part of the stream, taken into account. @returns the reply once it is finished, or null. */
function take(part: TextStreamPart<ToolSet>, draft: ReplyDraft, allowance: ToolAllowance): string | null {
  switch (part.type) {
    case 'start-step':
      draft.beginStep();
      return null;
    case 'text-delta':
      return draft.write(part.text) ? null : draft.finish(false);
    case 'tool-input-delta':
      allowance.receive(part.id, part.delta);
      return null;
    case 'error':
      throw failureOf(part.error);
    case 'finish':
      return draft.finish(part.finishReason !== 'length' && part.finishReason !== 'content-filter');
    default:
      return null;
  }
}

function startStream(
  model: LanguageModel,
  request: ModelRequest,
  allowance: ToolAllowance,
  signal: AbortSignal,
) {
  const { tools } = allowance;
  const hasTools = request.toolCallsMax > 0 && Object.keys(tools).length > 0;
  // Every call in a step of its own, one step for the refusal of a further one, and one for the reply.
  const stepsMax = hasTools ? request.toolCallsMax + 2 : 1;
  return streamText({
    model,
    instructions: request.instructions,
    messages: request.messages.map(({ role, text }) => ({ role, content: text })),
    ...(hasTools && { tools }),
    // One after the other: what a call does may matter to the next one.
    toolCallConcurrency: 1,
    prepareStep: ({ stepNumber }) =>
      hasTools && (allowance.isSpent || stepNumber === stepsMax - 1) ? { toolChoice: 'none' } : undefined,
    stopWhen: isStepCount(stepsMax),
    maxOutputTokens: tokensFor(request.charactersMax),
    // A repeated request is the caller's decision: it knows whether a reply is still wanted.
    maxRetries: 0,
    abortSignal: signal,
    telemetry: { isEnabled: false },
    // Errors come as parts of the stream; without this they would be written to the console too.
    onError: () => undefined,
  });
}

/**
 * Asks the model, calls the tools that it asks for and gathers its reply.
 * @returns the text, which may be empty; null when the bounds ended the request.
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
  const { stream } = startStream(endpointModel(endpoint), request, allowance, signal);
  // The reader is left as it is at the end: the signal closes the stream, and a cancel would wait for its twin.
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done || signal.aborted) return null;
    const text = take(value, draft, allowance);
    if (text !== null) return text;
  }
}
