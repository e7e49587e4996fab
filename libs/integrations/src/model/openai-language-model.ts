import type { ModelSettings } from '@app/config/settings-config';
import { asSpan } from '@app/contracts/trace-recorder';
import { LanguageModel, type ModelOutcome, type ModelRequest } from '@app/domain/agent/language-model.port';
import type { OnApplicationShutdown } from '@nestjs/common';
import { ModelConnection } from './model-connection';
import { endpointModel } from './model-endpoint';
import { failureOf, ModelFailure } from './model-failure';
import { MODEL_LIMITS, type ModelLimits, ReplyBounds } from './model-limits';
import { streamReply } from './reply-stream';

const failed = ({ reason, mayRetry, retryAfterMs, words }: ModelFailure): ModelOutcome => ({
  kind: 'failed',
  mayRetry,
  ...(retryAfterMs !== null && { retryAfterMs }),
  reason,
  ...(words !== null && { words }),
});

const EMPTY = new ModelFailure('The model answered without a text.', true);
const NO_ENDPOINT = new ModelFailure('No model is configured: set AI_BASE_URL.', false);
const NO_NAME = new ModelFailure('No model is named: set AI_MODEL, or the model of the assistant.', false);

const whenAborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });

/** A model behind any endpoint that speaks OpenAI's chat completions. */
export class OpenAiLanguageModel extends LanguageModel implements OnApplicationShutdown {
  private readonly connection: ModelConnection | null;

  constructor(
    private readonly settings: Pick<ModelSettings, 'baseUrl' | 'apiKey' | 'name'>,
    private readonly limits: ModelLimits = MODEL_LIMITS,
  ) {
    super();
    const { baseUrl, apiKey } = settings;
    this.connection = baseUrl ? new ModelConnection(baseUrl, apiKey, limits.connections) : null;
  }

  /** The first model that is made loads the SDK (.swcrc): 0.2 s, in which the process does nothing else. */
  override prepare(): void {
    const { baseUrl, apiKey } = this.settings;
    if (baseUrl) endpointModel({ baseUrl, apiKey, model: '', fetch }, { charactersMax: 0, writtenMax: 0 });
  }

  /** Of an account's own model the name is not told: it may be any text. */
  reply(request: ModelRequest, signal: AbortSignal): Promise<ModelOutcome> {
    const { baseUrl, name } = this.settings;
    const model = request.model === null || request.model === name ? name : null;
    return asSpan(
      () => ({
        ...{ name: 'chat', kind: 'client' },
        facts: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': model ?? undefined,
          'server.address': baseUrl === null ? undefined : new URL(baseUrl).hostname,
        },
      }),
      async (span) => {
        const outcome = await this.ask(request, signal);
        span?.set({ 'leadline.outcome': outcome.kind });
        if (outcome.kind !== 'replied') span?.fail({ code: outcome.kind });
        return outcome;
      },
    );
  }

  private async ask(request: ModelRequest, signal: AbortSignal): Promise<ModelOutcome> {
    if (signal.aborted) return { kind: 'aborted' };
    const { connection, settings, limits } = this;
    if (!connection || !settings.baseUrl) return failed(NO_ENDPOINT);
    const model = request.model ?? settings.name;
    if (!model) return failed(NO_NAME);

    const bounds = new ReplyBounds(limits, signal);
    const endpoint = {
      baseUrl: settings.baseUrl,
      apiKey: settings.apiKey,
      model,
      fetch: connection.fetchWithin(bounds, model, request.options ?? {}),
    };
    // Once the bounds end the request, its outcome waits neither for a tool nor for the end of the stream.
    const written = streamReply(endpoint, request, bounds, limits.argumentsBytes).catch((error: unknown) => {
      bounds.fail(failureOf(error, settings.apiKey));
      return null;
    });
    const text = await Promise.race([written, whenAborted(bounds.signal)]);
    const { failure } = bounds;
    bounds.end();
    if (signal.aborted) return { kind: 'aborted' };
    if (failure) return failed(failure);
    return text ? { kind: 'replied', text } : failed(EMPTY);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.connection?.close();
  }
}
