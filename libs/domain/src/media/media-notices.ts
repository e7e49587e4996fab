import type { IncomingMessage } from '@app/persistence/messages/incoming/incoming.repository';
import { Injectable } from '@nestjs/common';
import { WorkNotifier } from '../work/work-notifier';

/** Notifies the worker of files that came with messages. Nothing relies on it: its sweep finds them. */
@Injectable()
export class MediaNotices {
  constructor(private readonly work: WorkNotifier) {}

  cameBy(accountId: string, { file }: IncomingMessage): void {
    if (file) this.work.notify('media', { accountId, id: file.id });
  }
}
