import { isObject } from '@app/contracts/json-object';
import type { Media } from '@app/contracts/media.words';
import type { TwoWayPosition } from '@app/contracts/values/list-position.format';
import { formatThreadId, threadIdOrNothing } from '@app/contracts/uuid.format';
import {
  ThreadRecordRepository,
  type MessageRecordRow,
  type ThreadRecordRow,
} from '@app/persistence/privacy/thread-record.repository';
import { ErasureRepository } from '@app/persistence/privacy/erasure.repository';
import { Injectable } from '@nestjs/common';
import { reachOf, type Principal } from '../accounts/principal.rules';
import { Principals } from '../accounts/principals.service';
import { Audit } from '../audit/audit.service';
import { HistoryService } from '../leads/history.service';
import { ThreadNotFoundError } from '../leads/lead.errors';
import { presentCard } from '../leads/lead.presenter';
import { ReplyAbility } from '../leads/reply-ability';
import { MediaStore } from '../media/media-store.port';
import { presentMedia, contentOf, referralOf } from '../messages/dialog/message.presenter';
import { MessageListsService, type ThreadMessage } from '../messages/dialog/message-lists.service';
import { RunLists } from '../scenarios/runs/run-lists.service';

const PAGE = 100;
/** Bytes of a file in one line. A multiple of three, so that the parts' base64 can be joined. */
const PART_BYTES = 48 * 1024;

/** One line of an export. */
export interface ExportLine {
  readonly [field: string]: unknown;
  readonly record: 'thread' | 'message' | 'media' | 'history' | 'run' | 'end';
}

/** Hands out everything that is kept of a customer. */
@Injectable()
export class ThreadExports {
  constructor(
    private readonly dialogs: ErasureRepository,
    private readonly records: ThreadRecordRepository,
    private readonly messages: MessageListsService,
    private readonly history: HistoryService,
    private readonly runs: RunLists,
    private readonly store: MediaStore,
    private readonly audit: Audit,
    private readonly principals: Principals,
    private readonly ability: ReplyAbility,
  ) {}

  /**
   * Begins an export of one dialog, and keeps in the audit that it did.
   * @returns the lines, read as they are taken; the last one is `end`. Taking them throws once the caller's key
   * or session has ended, or may not export any more.
   * @throws ThreadNotFoundError
   */
  async begin(by: Principal, threadId: string): Promise<AsyncGenerator<ExportLine>> {
    const found = await this.dialogs.find(reachOf(by), threadIdOrNothing(threadId));
    const thread = found && (await this.records.thread(found.account_id, found.id));
    if (!thread) throw new ThreadNotFoundError();
    const subject = { type: 'thread', accountId: found.account_id, id: found.id, name: null };
    await this.audit.note(by, 'thread.export', { subject, after: { format: 'ndjson' } });
    const viewer = { ...by, accountId: found.account_id, assistantIds: [thread.assistant_id] };
    const lines = this.lines(viewer, found.account_id, thread);
    return this.principals.whileActive(by, 'thread.export', lines);
  }

  private async *lines(
    by: Principal,
    accountId: string,
    thread: ThreadRecordRow,
  ): AsyncGenerator<ExportLine> {
    const threadId = formatThreadId(thread.id);
    const { user_id, wa_id, addresses, former_addresses, profile_name } = thread;
    const known = { user_id, wa_id, addresses, former_addresses, profile_name };
    yield { record: 'thread', ...presentCard(thread, this.ability), ...known };
    const counts = { messages: 0, media: 0, history: 0, runs: 0 };
    const files = new Map<string, Media>();
    for await (const message of this.messagesOf(by, accountId, threadId)) {
      counts.messages += 1;
      if (message.media) files.set(message.media.id, message.media);
      yield { record: 'message', ...message };
    }
    for (const file of files.values()) {
      counts.media += 1;
      yield* this.partsOf(accountId, file);
    }
    for (let before: number | null = null; ;) {
      const page = await this.history.getHistory(by, threadId, before, PAGE);
      counts.history += page.entries.length;
      for (const entry of page.entries) yield { record: 'history', ...entry };
      before = page.nextBefore;
      if (before === null) break;
    }
    for (let before: string | null = null; ;) {
      const runs = await this.runs.list(by, { scenarioId: null, threadId, state: null }, before, PAGE);
      counts.runs += runs.length;
      for (const run of runs) yield { record: 'run', ...run };
      before = runs.at(-1)?.id ?? null;
      if (runs.length < PAGE) break;
    }
    yield { record: 'end', ...counts };
  }

  private async *messagesOf(
    by: Principal,
    accountId: string,
    threadId: string,
  ): AsyncGenerator<ThreadMessage & { provider_content: unknown }> {
    for (let from: TwoWayPosition | null = null; ;) {
      const page = await this.messages.getMessages(by, threadId, from, PAGE);
      const ids = page.messages.map(({ id }) => id);
      const contents = await this.records.contents(accountId, ids);
      for (const message of page.messages) {
        const record = contents.get(message.id);
        yield { ...withDeleted(message, record), provider_content: record?.content ?? {} };
      }
      from = page.older;
      if (from === null) return;
    }
  }

  /** A file's bytes in base64. One that is not in the store has a line without them. */
  private async *partsOf(accountId: string, { id, sha256, state }: Media): AsyncGenerator<ExportLine> {
    const bytes = state === 'stored' && sha256 !== null ? await this.store.open({ accountId, sha256 }) : null;
    if (!bytes) {
      yield { record: 'media', id, part: 0, last: true, base64: null };
      return;
    }
    let part = 0;
    let held = Buffer.alloc(0);
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      held = Buffer.concat([held, chunk]);
      while (held.length > PART_BYTES) {
        yield {
          record: 'media',
          id,
          part,
          last: false,
          base64: held.subarray(0, PART_BYTES).toString('base64'),
        };
        held = held.subarray(PART_BYTES);
        part += 1;
      }
    }
    yield { record: 'media', id, part, last: true, base64: held.toString('base64') };
  }
}

/** A message that its writer deleted has what it had: it is kept of the customer. */
function withDeleted(message: ThreadMessage, record: MessageRecordRow | undefined): ThreadMessage {
  const deleted = record?.content.deleted;
  if (!record || !isObject(deleted) || typeof deleted.text !== 'string') return message;
  const { type, media } = record;
  const content = isObject(deleted.content) ? deleted.content : {};
  return {
    ...message,
    text: deleted.text,
    content: contentOf({ type, text: deleted.text, content }),
    referral: referralOf(content),
    media: presentMedia(media, message.role),
  };
}
