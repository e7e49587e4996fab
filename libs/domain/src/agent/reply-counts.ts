import type { ReplyEnd } from '@app/persistence/agent/reply.repository';
import { Injectable } from '@nestjs/common';
import type { ModelOutcome } from './language-model.port';

/** What this process has done about replies since its start, for metrics. */
@Injectable()
export class ReplyCounts {
  /** Replies by how this process left them. A reply that is put off is claimed again later. */
  readonly replies: Record<ReplyEnd['state'] | 'put_off', number> = {
    answered: 0,
    discarded: 0,
    failed: 0,
    put_off: 0,
  };
  /** Requests to the model by their outcome. */
  readonly requests: Record<ModelOutcome['kind'], number> = { replied: 0, aborted: 0, failed: 0 };
  /** The duration of all these requests together, with their tool calls. */
  requestSeconds = 0;
  /** Hears of each answer: how long after it was asked for, in seconds, its quiet time included. */
  onAnswered: (seconds: number) => void = () => undefined;
  /** Calls of tools that were allowed. */
  toolCalls = 0;
}
