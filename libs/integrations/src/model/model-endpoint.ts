import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { isDeeperThan } from '@app/contracts/json-object';
import { wrapLanguageModel, type LanguageModel, type LanguageModelMiddleware } from 'ai';
import { wholeAnswers } from './whole-answers-middleware';

/** How much of invalid JSON arguments is repeated to the model. */
const LONGEST_ECHO = 200;
const LONGEST_NAME = 64;
/** Deeper JSON is treated as invalid: no tool has such arguments, and not every later step could process them. */
const DEEPEST = 32;

/** What the model gets as the result of a call that failed, instead of the SDK's own words. */
const NO_SUCH_TOOL = 'Refused: there is no such tool.';
const NO_ARGUMENTS = 'Refused: the arguments are no JSON object.';

function isJson(text: string): boolean {
  try {
    return !isDeeperThan(JSON.parse(text), DEEPEST);
  } catch {
    return false;
  }
}

/**
 * What the model wrote as a call goes into the next step's request and into messages about its errors. A name that no
 * endpoint would accept, and arguments that are no JSON, are therefore cut to a harmless form.
 */
const harmlessCalls: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  transformParams({ params }) {
    const names = new Set(params.tools?.map(({ name }) => name));
    for (const message of params.prompt) {
      if (message.role !== 'tool') continue;
      for (const part of message.content) {
        if (part.type !== 'tool-result' || part.output.type !== 'error-text') continue;
        part.output.value = names.has(part.toolName) ? NO_ARGUMENTS : NO_SUCH_TOOL;
      }
    }
    return Promise.resolve(params);
  },
  async wrapStream({ doStream }) {
    const { stream, ...rest } = await doStream();
    const harmless: typeof stream = stream.pipeThrough(
      new TransformStream({
        transform(part, controller) {
          if (part.type !== 'tool-call') return controller.enqueue(part);
          const toolName = part.toolName.replace(/[^\w-]/g, '_').slice(0, LONGEST_NAME);
          const input = isJson(part.input) ? part.input : part.input.slice(0, LONGEST_ECHO).toWellFormed();
          controller.enqueue({ ...part, toolName, input });
        },
      }),
    );
    return { ...rest, stream: harmless };
  },
};

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
