import type { JobIds } from '@app/domain/jobs/job.queue';
import { SendLanes } from '@app/domain/messages/send-lanes.service';
import { Injectable } from '@nestjs/common';
import { JobEdge } from '../jobs/job.edge';

/** Sends what is queued by a number. */
@Injectable()
export class SendLaneJob extends JobEdge {
  readonly kind = 'send-lane';
  /** Numbers that one process sends by at a time: those whose providers hang hold up no others. */
  readonly concurrency = 200;

  constructor(private readonly lanes: SendLanes) {
    super();
  }

  async handle(ids: JobIds, stopping: AbortSignal): Promise<void> {
    await this.lanes.serve(ids, stopping);
  }

  async sweep(): Promise<void> {
    await this.lanes.sweep();
  }
}
