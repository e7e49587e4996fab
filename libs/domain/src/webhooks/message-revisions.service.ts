import type { Arrival } from '@app/persistence/messages/incoming/arrival-time';
import type {
  IncomingMessage,
  ReceivingNumber,
  TakenMessage,
} from '@app/persistence/messages/incoming/incoming.repository';
import {
  RevisionRepository,
  type Revision,
  type RevisionVerdict,
} from '@app/persistence/messages/delivery/revision.repository';
import { Injectable } from '@nestjs/common';
import { descriptions } from '@app/contracts/message-content';
import { AgentLimits } from '../agent/reply-run';
import { EventNotifier } from '../events/event-notifier.service';
import { MediaNotices } from '../media/media-files.service';
import { contentOf } from '../messages/dialog/message.presenter';
import { incomingMessage, threadAddressOf } from './incoming-message';
import type { ContactAddress, CustomerMessage, MessageBody } from './provider-events';

type Told = Pick<CustomerMessage, 'messageId' | 'sentAt' | 'body'>;

const CHECKED_AT_ONCE = 500;

/** Edits and deletions: each changes the message that it names, and is none of its own. */
@Injectable()
export class MessageRevisions {
  constructor(
    private readonly revisions: RevisionRepository,
    private readonly agent: AgentLimits,
    private readonly eventNotifier: EventNotifier,
    private readonly media: MediaNotices,
  ) {}

  /** Whether it is about another message. */
  revises = ({ body }: Told): boolean => originalOf(body) !== null;

  /**
   * Where the message that it names is not here, it waits for it: a deletion without a trace, because nobody knows what was
   * said; an edit as the message that it makes, because the customer has said it, and what it said before is told later.
   * @param keep stores a message as if it had just come
   * @returns whether the message is one of an erased customer
   */
  async apply(
    at: ReceivingNumber,
    told: Told,
    { customer, byCustomer }: { customer: ContactAddress; byCustomer: boolean },
    arrival: Arrival,
    keep: (original: Told) => Promise<TakenMessage>,
  ): Promise<boolean> {
    const original = originalOf(told.body) ?? '';
    const revision: Revision = {
      ...{ originalId: original, id: told.messageId, byCustomer, sentAt: told.sentAt, arrival },
      ...{ customer: threadAddressOf(customer), now: nowOf(told.body) },
    };
    let verdict = await this.revise(at, revision);
    if (verdict !== 'missing') return verdict === 'erased';
    await this.revisions.park(at, revision);
    const kept = revision.now && (await keep({ ...told, messageId: original, body: keptAs(told.body) }));
    // The message may have come since the search.
    verdict = kept?.isErased ? 'erased' : await this.revise(at, revision);
    // The same edit may have come to another process at once, which stored it: there it goes on waiting.
    const waits = kept === null ? verdict === 'missing' : kept.isStored || verdict === 'known';
    if (!waits) await this.revisions.unpark(at, revision);
    if (kept?.isOvertaken) await this.applyDeletions(at, original);
    return verdict === 'erased';
  }

  /**
   * Applies what came before a message, which has come now, and not as what an edit has made of it. Call it where the message
   * {@link TakenMessage.isOvertaken}.
   */
  async overtook(
    at: ReceivingNumber,
    told: Told,
    customer: ContactAddress,
    arrival: Arrival,
    { isStored }: TakenMessage,
  ): Promise<void> {
    await this.applyDeletions(at, told.messageId);
    for (const revision of await this.revisions.parked(at, told.messageId)) {
      if (revision.now === null) continue;
      // A process that was killed may have left the edit alone: then the message is here as it came.
      if ((await this.revise(at, revision)) !== 'known' || isStored) continue;
      const original = incomingMessage(told, customer, arrival, at.channel, this.agent.transcribes);
      const { isTold, hasFile } = await this.revisions.complete(at, revision, original);
      if (isTold) this.eventNotifier.notify(at.accountId);
      if (hasFile) this.media.cameBy(at.accountId, original);
    }
  }

  private async applyDeletions(at: ReceivingNumber, originalId: string): Promise<void> {
    for (const revision of await this.revisions.parked(at, originalId))
      if (revision.now === null) await this.retry(at, revision);
  }

  /** Applies deletions whose message was stored at the same moment. Call it every second or so. */
  async sweepParked(): Promise<void> {
    const missed = await this.revisions.missedDeletions(CHECKED_AT_ONCE);
    await doEach(
      ...missed.map(
        ({ at, revision }) =>
          () =>
            this.retry(at, revision),
      ),
    );
  }

  private async retry(at: ReceivingNumber, revision: Revision): Promise<void> {
    if ((await this.revise(at, revision)) !== 'missing') await this.revisions.unpark(at, revision);
  }

  private async revise(at: ReceivingNumber, revision: Revision): Promise<RevisionVerdict> {
    const verdict = await this.revisions.apply(at, revision, this.agent.answers ? this.agent.quietMs : null);
    if (verdict === 'revised') this.eventNotifier.notify(at.accountId);
    return verdict;
  }
}

/** The messenger's id of the message that a body is about; null: it is a message of its own. */
function originalOf({ type, content }: MessageBody): string | null {
  const { original_message_id: id } = content;
  return (type === 'edit' || type === 'revoke') && typeof id === 'string' ? id : null;
}

/** An edit as the message that it makes of the former one. */
function keptAs({ text, content, words }: MessageBody): MessageBody {
  const { original_message_id: _, edited_type: edited, ...own } = content;
  return { type: String(edited), text, content: own, words };
}

function nowOf(body: MessageBody): Pick<IncomingMessage, 'text' | 'content' | 'lines'> | null {
  if (body.type === 'revoke') return null;
  const { type, text, content } = keptAs(body);
  return { text, content, lines: descriptions({ type, text, content: contentOf({ type, text, content }) }) };
}

/** Does one after the other, each of them whether others fail or not. @throws the first error, once all are done */
async function doEach(...acts: readonly (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const act of acts) await act().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
