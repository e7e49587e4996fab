import { Replies } from '@app/domain/agent/replies.service';
import type { JobIds } from '@app/domain/jobs/job.queue';
import { Injectable } from '@nestjs/common';
import { JobEdge } from '../jobs/job.edge';

/** Answers a customer. */
@Injectable()
export class ReplyJob extends JobEdge {
  readonly kind = 'reply';
  /** Of one process, of all accounts: most of the time a reply only waits for its model. */
  readonly concurrency = 500;
  /** Replies are due at a time, not when somebody rings: this is how late they begin. */
  override readonly sweepEveryMs = 200;

  constructor(private readonly replies: Replies) {
    super();
  }

  async handle(ids: JobIds, stopping: AbortSignal): Promise<void> {
    await this.replies.serve(ids, stopping);
  }

  async sweep(): Promise<void> {
    await this.replies.sweep();
  }
}
