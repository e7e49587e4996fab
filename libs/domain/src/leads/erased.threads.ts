import type { Visibility } from '@app/persistence/accounts/visibility.scope';
import { ErasedThreadRepository } from '@app/persistence/threads/erased-thread.repository';
import { Injectable } from '@nestjs/common';
import { ThreadErasedError, ThreadNotFoundError } from './lead.errors';

/** Says why a dialog cannot be changed that a statement did not find. */
@Injectable()
export class ErasedThreads {
  constructor(private readonly threads: ErasedThreadRepository) {}

  /** @throws ThreadErasedError for a dialog that the caller sees and that was erased, else ThreadNotFoundError. */
  async refuse(of: Visibility, threadId: string): Promise<never> {
    throw (await this.threads.isErased(of, threadId)) ? new ThreadErasedError() : new ThreadNotFoundError();
  }
}
