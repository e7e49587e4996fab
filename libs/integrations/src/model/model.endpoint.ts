import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { wrapLanguageModel, type LanguageModel } from 'ai';
import { harmlessCalls } from './harmless-calls.middleware';
import { wholeAnswers } from './whole-answers.middleware';

/** The endpoint of a model, and how to call it. */
export interface ModelEndpoint {
  /** With /v1, without a trailing slash. */
  baseUrl: string;
  apiKey: string | null;
  /** The endpoint's name for the model. */
  model: string;
  fetch: typeof fetch;
}

/** OpenAI's newer models refuse the old name of the limit, and other endpoints know only that one. */
function withNewLimit({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: max_tokens };
}

const isOpenAi = (baseUrl: string): boolean => new URL(baseUrl).hostname === 'api.openai.com';

/**
 * The SDK's model for one reply. Its stream contains no harmful calls, and nothing in its text that only machines read.
 */
export function endpointModel(
  { baseUrl, apiKey, model, fetch }: ModelEndpoint,
  { charactersMax, writtenMax }: { charactersMax: number; writtenMax: number },
): LanguageModel {
  const provider = createOpenAICompatible({
    name: 'model',
    baseURL: baseUrl,
    ...(apiKey && { apiKey }),
    fetch,
    ...(isOpenAi(baseUrl) && { transformRequestBody: withNewLimit }),
  });
  return wrapLanguageModel({
    model: provider.chatModel(model),
    middleware: [harmlessCalls, wholeAnswers(charactersMax, writtenMax)],
  });
}
