import type { ReplyEnd } from '@app/persistence/agent/reply.repository';
import { Injectable } from '@nestjs/common';
import type { ModelOutcome } from './language-model.port';

/** What this process has done about replies since it began, for metrics. */
@Injectable()
export class ReplyCounts {
  /** Replies by how this process left them; one that is put off is claimed again. */
  readonly replies: Record<ReplyEnd['state'] | 'put_off', number> = {
    answered: 0,
    discarded: 0,
    failed: 0,
    put_off: 0,
  };
  /** Requests to the model by what became of them. */
  readonly requests: Record<ModelOutcome['kind'], number> = { replied: 0, aborted: 0, failed: 0 };
  /** Of all these requests together, the calls of tools included. */
  requestSeconds = 0;
  /** Calls of tools that models were granted. */
  toolCalls = 0;
}
