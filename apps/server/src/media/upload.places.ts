import { CodedError } from '@app/contracts/coded.error';
import { Slots } from '@app/domain/work/work.slots';
import { Injectable } from '@nestjs/common';

/** Each has a connection, a temporary file and some 200 KB of memory. */
const AT_ONCE = 64;
/** No eight accounts take all places, however slowly they send. */
const OF_ONE_ACCOUNT = 8;
/** A connection that waits has some 100 KB in memory, however long its file is. */
const WAITING_MAX = 1_500;

/** Too many uploads at once. */
class UploadsBusyError extends CodedError {
  readonly code = 'UNAVAILABLE';
  override readonly retryAfterSeconds = 1;

  constructor() {
    super('Too many files are coming in at once. Repeat the request in a moment.');
  }
}

/** Bounds how many files come in at once. Of those that wait, nothing is read. */
@Injectable()
export class UploadPlaces {
  private readonly all = new Slots(AT_ONCE);
  private readonly byAccount = new Map<string, { slots: Slots; users: number }>();
  private waiting = 0;

  /** @throws UploadsBusyError */
  async run<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    if (this.waiting >= WAITING_MAX) throw new UploadsBusyError();
    this.waiting += 1;
    let of = this.byAccount.get(accountId);
    if (!of) this.byAccount.set(accountId, (of = { slots: new Slots(OF_ONE_ACCOUNT), users: 0 }));
    of.users += 1;
    try {
      return await of.slots.run(() => this.all.run(work));
    } finally {
      this.waiting -= 1;
      of.users -= 1;
      if (of.users === 0) this.byAccount.delete(accountId);
    }
  }
}
