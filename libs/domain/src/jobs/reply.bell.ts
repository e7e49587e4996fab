import { Injectable } from '@nestjs/common';
import { JobQueue } from './job.queue';

/** Tells a worker that a reply is due: for whoever takes up a waiting message. */
@Injectable()
export class ReplyBell {
  constructor(private readonly jobs: JobQueue) {}

  ring(accountId: string, turnId: string): void {
    this.jobs.ring('reply', `${accountId}/${turnId}`, { account_id: accountId, turn_id: turnId });
  }
}
