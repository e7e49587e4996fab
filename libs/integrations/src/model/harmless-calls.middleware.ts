import { isDeeperThan } from '@app/contracts/json.depth';
import type { LanguageModelMiddleware } from 'ai';

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
export const harmlessCalls: LanguageModelMiddleware = {
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
