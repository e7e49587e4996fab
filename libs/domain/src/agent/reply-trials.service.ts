import { CodedError } from '@app/contracts/coded.errors';
import type { MessageRole } from '@app/contracts/message.words';
import { isUuid } from '@app/contracts/uuid.format';
import {
  ThreadContextRepository,
  type FunnelStageRow,
} from '@app/persistence/agent/thread-context.repository';
import { AssistantRepository, type AssistantRow } from '@app/persistence/assistants/assistant.repository';
import type { CallableToolRow } from '@app/persistence/assistants/assistant-tool.repository';
import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import { Injectable } from '@nestjs/common';
import { reachOf, type Principal } from '../accounts/principal.rules';
import { AssistantUnknownError } from '../assistants/assistant.errors';
import { isObject } from '@app/contracts/json-object';
import { TOOL_CALLS_MAX, ReplyCounts } from './reply-run';
import { CustomToolsService, notFitting } from './custom-tools.service';
import { EMPTY_ANSWER, LanguageModel, type ModelTool } from './language-model.port';
import {
  HAND_OVER_TOOL,
  HANDED_OVER,
  MOVED,
  MOVED_ALREADY,
  moveToolTo,
  NO_SUCH_STAGE,
  openTo,
  type ToolDefinition,
} from './lead-tools';
import { instructionsFor, markWord, threadFor, withoutMarks } from './reply-context';
import { partsOf } from './reply-parts';
import { readArguments } from './tool-arguments.rules';

/** The model gave no answer that a customer could read. */
class ModelFailedError extends CodedError {
  readonly code = 'MODEL_ERROR';

  /**
   * @param reason a sentence without addresses, keys or texts of a dialog
   * @param words the model's own; the caller is an admin, and the dialog is theirs
   */
  constructor(reason: string, words?: string) {
    super(`The model gave no answer. ${reason}${words === undefined ? '' : ` Its words: ${words}`}`);
  }
}

/** Each waits up to a minute for its model. */
const TRIED_AT_ONCE = 16;
const NOT_CALLED =
  'This is a trial: the tool was not called, and there is no result. Answer as well as you can without it.';

export interface TrialMessage {
  role: MessageRole;
  text: string;
}

/** A tool that the model called. It was not executed. */
export interface TriedCall {
  name: string;
  /** As the model gave them: any JSON. */
  arguments: unknown;
  /** What the model got instead of a result. */
  result: string;
}

export interface TriedReply {
  /** All that the customer would read. */
  reply: string;
  /** The same, message by message. */
  parts: string[];
  tool_calls: TriedCall[];
}

/** Try-outs of agents: the model answers a dialog that does not exist. Nothing is written, and nothing is sent. */
@Injectable()
export class ReplyTrials {
  private readonly limiter = new InFlightLimiter(TRIED_AT_ONCE);

  constructor(
    private readonly assistants: AssistantRepository,
    private readonly threads: ThreadContextRepository,
    private readonly customTools: CustomToolsService,
    private readonly model: LanguageModel,
    private readonly counts: ReplyCounts,
  ) {}

  /**
   * What the agent would answer in a dialog whose lead has no stage.
   * @param messages the oldest first
   * @throws AssistantUnknownError, ModelFailedError, TooManyWaitingError
   */
  async play(by: Principal, assistantId: string, messages: readonly TrialMessage[]): Promise<TriedReply> {
    const assistant = isUuid(assistantId) ? await this.assistants.find(reachOf(by), assistantId) : null;
    if (!assistant) throw new AssistantUnknownError();
    return this.limiter.run(assistant.account_id, () => this.ask(assistant, messages));
  }

  private async ask(assistant: AssistantRow, messages: readonly TrialMessage[]): Promise<TriedReply> {
    const { account_id: accountId, id: assistantId } = assistant;
    const funnel = await this.threads.funnel(accountId, assistantId);
    const clock = await this.threads.clock(accountId);
    const custom = await this.customTools.shownOf({ accountId, assistantId });
    const calls: TriedCall[] = [];
    const word = markWord();
    const askedAt = performance.now();
    const outcome = await this.model.reply(
      {
        model: assistant.model,
        options: assistant.model_options,
        instructions: instructionsFor(assistant.instructions, null, funnel, null, word, clock),
        messages: threadFor(
          messages.map(({ role, text }) => ({ role, type: 'text', text })),
          word,
        ),
        tools: toolsFor(assistant, funnel, custom, calls),
        toolCallsMax: TOOL_CALLS_MAX,
        charactersMax: assistant.reply_characters_max,
      },
      // A caller who leaves looks like one who has only closed the sending half. The model has its own limits.
      new AbortController().signal,
    );
    this.counts.requests[outcome.kind] += 1;
    this.counts.requestSeconds += (performance.now() - askedAt) / 1_000;
    const isHandedOver = calls.some(({ name }) => name === HAND_OVER_TOOL.name);
    const text = outcome.kind === 'replied' ? withoutMarks(outcome.text, word) : '';
    const parts = partsOf(assistant, text, isHandedOver);
    if (parts.length === 0) {
      const { reason, words } = outcome.kind === 'failed' ? outcome : { ...EMPTY_ANSWER, words: undefined };
      throw new ModelFailedError(reason, words);
    }
    return { reply: parts.join('\n\n'), parts, tool_calls: calls };
  }
}

/** The tools that the agent has in a dialog. Instead of doing anything they note that they were called. */
function toolsFor(
  assistant: AssistantRow,
  funnel: readonly FunnelStageRow[],
  custom: readonly CallableToolRow[],
  calls: TriedCall[],
): ModelTool[] {
  const noting = (
    { name, description, parameters }: ToolDefinition,
    resultOf: (given: unknown) => string,
  ): ModelTool => ({
    name,
    description,
    parameters,
    call: (given) => {
      const result = resultOf(given);
      calls.push({ name, arguments: given, result });
      return Promise.resolve(result);
    },
  });
  const open = openTo(assistant, funnel);
  let moved = false;
  const move = (given: unknown): string => {
    if (!isObject(given) || !open.some(({ id }) => id === given.status_id)) return NO_SUCH_STAGE;
    if (moved) return MOVED_ALREADY;
    moved = true;
    return MOVED;
  };
  return [
    ...(open.length > 0 ? [noting(moveToolTo(open), move)] : []),
    noting(HAND_OVER_TOOL, () => HANDED_OVER),
    ...custom.map((tool) =>
      noting(tool, (given) => {
        const read = readArguments(given, tool.parameters);
        return read.kind === 'unfit' ? notFitting(read.reason) : NOT_CALLED;
      }),
    ),
  ];
}
