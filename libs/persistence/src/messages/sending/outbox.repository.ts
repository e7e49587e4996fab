import type { Actor } from '@app/contracts/lead.words';
import type { Channel, MessageRole } from '@app/contracts/message.words';
import { activeTrace } from '@app/contracts/trace-recorder';
import { Injectable } from '@nestjs/common';
import { isUniqueClash, RowBusyError } from '../../database/database.errors';
import { Database, type Transaction } from '../../database/database.service';
import type { Visibility } from '../../accounts/reach-scope';
import {
  STORE_KEY,
  OPEN_THREADS,
  RESERVE_QUOTA,
  RESERVE_QUOTA_OF_KEY,
  STORE_BATCH,
  STORE_MESSAGES,
  STORE_TEXT,
  type StoredMessage,
  type StoredText,
} from './outbox.statements';

export type { StoredMessage };

/** The bot and channel that send, and the agent of the dialogs that they open. */
export interface Sending {
  accountId: string;
  botId: string;
  assistantId: string;
  channel: Channel;
  role: MessageRole;
  actor: Actor | null;
  /** The id of the call; null: the service sends by itself. */
  requestId?: string | null;
}

export interface MessageIntent {
  id: string;
  /** The id of its dialog if it has to be opened. */
  newThreadId: string;
  /** The address by which the dialog is found. */
  contact: string;
  /** The dialog, where it is known: then it is not found or opened by the contact. */
  threadId?: string;
  /** The phone to which it goes, or the messenger's user id. */
  phone: string;
  type: string;
  text: string;
  content: Record<string, unknown>;
  duplicate: boolean;
  /** The scenario's run that sends, where it is one: it is the message's actor. */
  run?: { id: string; actor: Actor };
}

/** A claim made together with the message; null leaves it to its number's queue. */
export interface Claim {
  token: string;
  milliseconds: number;
}

export interface KeyToStore {
  operation: string;
  key: string;
  fingerprint: Buffer;
}

/** What a call stores before anything is sent: all of it, or nothing. */
export interface OutboxOrder {
  sending: Sending;
  /** Their ids ascend. */
  intents: readonly MessageIntent[];
  batchId: string | null;
  claim: Claim | null;
  idempotency: KeyToStore | null;
  /** All its dialogs are open, and this transaction has locked them. */
  isOpen?: boolean;
  /** Free text does not count against the quota; default: it counts. */
  counts?: boolean;
}

export type OutboxAnswer = { stored: StoredMessage[] } | { refused: 'key_known' | 'quota' };

/** Ends a transaction with an answer and rolls it back. */
export class OutboxRefusal extends Error {
  constructor(readonly reason: 'key_known' | 'quota') {
    super(reason);
  }
}

/** Each try sees what the one before it missed, so only numbers that keep changing need more than two. */
const TRIES_MAX = 3;

/** A customer's number was changed between the statement that found the dialog and the one that writes into it. */
class ThreadMoved extends RowBusyError {
  constructor() {
    super(new Error('the customer has another number by now'));
  }
}

/** An operator's words. */
export interface TextToStore extends Pick<Sending, 'actor' | 'requestId'> {
  threadId: string;
  id: string;
  type: string;
  text: string;
  mediaId: string | null;
  content: object;
}

@Injectable()
export class OutboxRepository {
  constructor(private readonly database: Database) {}

  /**
   * Stores messages with their quota and their key, in one transaction. It is repeated when a dialog got another
   * number meanwhile, because the requested number then has another dialog, or needs a new one.
   * @throws DatabaseUnavailableError also when that keeps happening.
   */
  async store(order: OutboxOrder): Promise<OutboxAnswer> {
    const { accountId } = order.sending;
    for (let tries = 1; ; tries++) {
      try {
        return { stored: await this.database.transactFor(accountId, (tx) => storeIn(tx, order)) };
      } catch (error) {
        if (error instanceof OutboxRefusal) return { refused: error.reason };
        const hasChanged = error instanceof ThreadMoved || isUniqueClash(error);
        if (!hasChanged || tries === TRIES_MAX) throw error;
      }
    }
  }

  /**
   * Stores an operator's text or file, claimed, and starts a takeover.
   * @returns null when the caller sees no such dialog.
   */
  async storeText(of: Visibility, text: TextToStore, claim: Claim): Promise<StoredText | null> {
    const [row] = await this.database.runFor(of.accountId, STORE_TEXT, {
      accountId: of.accountId,
      threadId: text.threadId,
      assistantIds: of.assistantIds,
      messageId: text.id,
      type: text.type,
      text: text.text,
      mediaId: text.mediaId,
      content: JSON.stringify(text.content),
      actor: text.actor && JSON.stringify(text.actor),
      requestId: text.requestId ?? null,
      claimToken: claim.token,
      claimMs: claim.milliseconds,
    });
    return row ? { ...row, id: text.id } : null;
  }
}

/**
 * Stores an order in a transaction.
 * @throws OutboxRefusal, RowBusyError where a dialog got another number meanwhile; both must roll it back
 */
export async function storeIn(tx: Transaction, order: OutboxOrder): Promise<StoredMessage[]> {
  const { sending, intents, batchId, claim, idempotency, isOpen = false, counts = true } = order;
  const { accountId, botId, channel, assistantId, role, actor, requestId = null } = sending;
  if (idempotency) {
    const messageId = batchId === null ? intents[0]?.id : null;
    const keys = await tx.run(STORE_KEY, { ...idempotency, accountId, messageId, batchId });
    if (keys.length === 0) throw new OutboxRefusal('key_known');
  }
  if (batchId !== null) {
    const bounds = { firstId: intents[0]?.id, lastId: intents.at(-1)?.id };
    await tx.run(STORE_BATCH, { accountId, batchId, botId, channel, total: intents.length, ...bounds });
  }
  const unknown = intents.filter(({ threadId }) => threadId === undefined);
  const threads = [...Map.groupBy(unknown, ({ contact }) => contact).values()].map(threadOf);
  const opened = isOpen || threads.length === 0 ? [] : await openThreads(tx, sending, threads);
  const isNew = new Set(opened.map(({ contact }) => contact));
  const stored = await tx.run(STORE_MESSAGES, {
    accountId,
    botId,
    channel,
    assistantId,
    role,
    messages: JSON.stringify(intents.map(toRecord)),
    openedIds: opened.map(({ id }) => id),
    openedAt: opened[0]?.opened_at ?? null,
    openedContacts: opened.map(({ contact }) => contact),
    knownIds: [...new Set(intents.flatMap(({ threadId }) => threadId ?? []))],
    knownContacts: threads.map(({ contact }) => contact).filter((contact) => !isNew.has(contact)),
    actor: actor && JSON.stringify(actor),
    requestId,
    batchId,
    claimToken: claim?.token ?? null,
    claimMs: claim?.milliseconds ?? null,
    counts,
    trace: activeTrace(),
  });
  if (stored.length < intents.length) throw new ThreadMoved();
  if (!counts) {
    if (idempotency)
      throw new Error('a call with a key counts against the quota: that is where hidden keys are found');
    return stored;
  }
  // Last, because all sends of the account meet at its row: so it is locked for a moment only.
  const recipients = intents.filter(({ duplicate }) => !duplicate).length;
  await reserve(tx, { accountId, recipients }, idempotency);
  return stored;
}

/** @throws OutboxRefusal */
async function reserve(
  tx: Transaction,
  of: { accountId: string; recipients: number },
  idempotency: KeyToStore | null,
): Promise<void> {
  if (!idempotency) {
    if ((await tx.run(RESERVE_QUOTA, of)).length === 0) throw new OutboxRefusal('quota');
    return;
  }
  const { operation, key } = idempotency;
  const [found] = await tx.run(RESERVE_QUOTA_OF_KEY, { ...of, operation, key });
  if (found?.is_known) throw new OutboxRefusal('key_known');
  if (!found?.is_reserved) throw new OutboxRefusal('quota');
}

async function openThreads(
  tx: Transaction,
  { accountId, botId, channel, assistantId, role }: Sending,
  threads: readonly ReturnType<typeof threadOf>[],
) {
  return tx.run(OPEN_THREADS, {
    ...{ accountId, botId, channel, assistantId, role },
    ids: threads.map(({ id }) => id),
    contacts: threads.map(({ contact }) => contact),
    phones: threads.map(({ phone }) => phone),
    counts: threads.map(({ messages }) => messages),
    texts: threads.map(({ text }) => text),
  });
}

/** The first facts of a dialog that is opened by its messages. */
function threadOf(intents: readonly MessageIntent[]) {
  const { newThreadId: id, contact, phone } = intents[0] as MessageIntent;
  const own = intents.filter(({ duplicate }) => !duplicate);
  return { id, contact, phone, messages: own.length, text: own.at(-1)?.text };
}

const toRecord = (intent: MessageIntent, n: number): object => ({
  n,
  id: intent.id,
  // The id of a dialog is no address.
  contact: intent.threadId ?? intent.contact,
  recipient: intent.phone,
  type: intent.type,
  text: intent.text,
  content: intent.content,
  duplicate: intent.duplicate,
  ...(intent.run && { run_id: intent.run.id, actor: intent.run.actor }),
});
