import type { Thread } from '@app/domain/threads/threads.service';
import { Injectable } from '@nestjs/common';
import { PublicUrl } from '../public-url';

/** Where the operators' page shows dialogs. */
@Injectable()
export class ThreadLinks {
  constructor(private readonly publicUrl: PublicUrl) {}

  /** The dialog with the address of its page. */
  linked(thread: Thread): Thread & { url: string } {
    return { ...thread, url: `${this.publicUrl.value}/dialogs/${thread.thread_id}` };
  }
}
