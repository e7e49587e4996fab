import type { Visibility } from '@app/persistence/accounts/reach-scope';
import { ThreadRepository } from '@app/persistence/threads/thread.repository';
import { Injectable } from '@nestjs/common';
import { ThreadErasedError, ThreadNotFoundError } from './lead.errors';

/** Says why a dialog cannot be changed. */
@Injectable()
export class ErasedThreads {
  constructor(private readonly threads: ThreadRepository) {}

  /** For one that a statement did not find. @throws ThreadErasedError where it was erased, else ThreadNotFoundError. */
  async refuse(of: Visibility, threadId: string): Promise<never> {
    await this.refuseErased(of, threadId);
    throw new ThreadNotFoundError();
  }

  /** @throws ThreadErasedError for a dialog that the caller sees and that was erased. */
  async refuseErased(of: Visibility, threadId: string): Promise<void> {
    if (await this.threads.isErased(of, threadId)) throw new ThreadErasedError();
  }
}
