import type { LanguageModelMiddleware } from 'ai';

/** Of arguments that are no JSON, so much is told back to the model. */
const LONGEST_ECHO = 200;
const LONGEST_NAME = 64;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * What the model wrote as a call goes into the next step's request, and into the words about its mistake: a name that
 * no endpoint takes back, and arguments that are no JSON, are cut to what is harmless there.
 */
export const harmlessCalls: LanguageModelMiddleware = {
  specificationVersion: 'v4',
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
