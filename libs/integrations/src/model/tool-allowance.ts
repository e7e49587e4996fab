import type { ModelRequest, ModelTool } from '@app/domain/agent/language-model.port';
import { jsonSchema, tool, type ToolSet } from 'ai';
import { ModelFailure } from './model-failure';

const NO_MORE = 'Refused: no more tools may be called for this reply. Answer the customer now.';
const BROKEN = 'The tool failed.';

/** The tools that the model may call in one request, behind a count that it cannot bypass. */
export class ToolAllowance {
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
