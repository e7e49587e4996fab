import type { Arrival } from '@app/persistence/messages/arrival.time';
import {
  IncomingRepository,
  type IncomingMessage,
  type ReceivingNumber,
  type TakenMessage,
} from '@app/persistence/messages/incoming.repository';
import { RevisionRepository, type Revision } from '@app/persistence/messages/revision.repository';
import { Injectable } from '@nestjs/common';
import { descriptions } from '@app/contracts/message.description';
import { AgentLimits } from '../agent/agent.limits';
import { EventNotifier } from '../events/event-notifier.service';
import { contentOf } from '../messages/message.content';
import { incomingMessage } from './incoming.message';
import { threadAddressOf } from './thread.address';
import type { ContactAddress, CustomerMessage, MessageBody } from './provider.events';

type Told = Pick<CustomerMessage, 'messageId' | 'sentAt' | 'body'>;

/** What a message with a former one's id is kept as, where only its deletion is known. */
const DELETED_TYPE = 'revoke';

/** Edits and deletions: each changes the message that it names, and is none of its own. */
@Injectable()
export class MessageRevisions {
  constructor(
    private readonly revisions: RevisionRepository,
    private readonly incoming: IncomingRepository,
    private readonly agent: AgentLimits,
    private readonly eventNotifier: EventNotifier,
  ) {}

  /** Whether it is about another message. */
  revises = ({ body }: Told): boolean => originalOf(body) !== null;

  /**
   * Where the message that it names is not here, it is kept first: as it is now, or empty and without any effect. So a
   * webhook that was overtaken brings no former text back.
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
    const quietMs = this.agent.answers ? this.agent.quietMs : null;
    let verdict = await this.revisions.apply(at, revision, quietMs);
    if (verdict === 'missing') {
      const kept = { ...told, messageId: original, body: keptAs(told.body) };
      const { isErased } =
        revision.now === null
          ? await this.incoming.keepPast(
              at,
              incomingMessage(kept, customer, arrival, at.channel),
              byCustomer ? 'USER' : 'OPERATOR',
              byCustomer ? 'received' : 'sent',
            )
          : await keep(kept);
      if (isErased) return true;
      verdict = await this.revisions.apply(at, revision, quietMs);
    }
    if (verdict === 'revised') this.eventNotifier.notify(at.accountId);
    return verdict === 'erased';
  }
}

/** The messenger's id of the message that a body is about; null: it is a message of its own. */
function originalOf({ type, content }: MessageBody): string | null {
  const { original_message_id: id } = content;
  return (type === 'edit' || type === 'revoke') && typeof id === 'string' ? id : null;
}

/** An edit as the message that it makes of the former one. */
function keptAs({ type, text, content, words }: MessageBody): MessageBody {
  if (type === 'revoke') return { type: DELETED_TYPE, text: '', content: {}, words: [] };
  const { original_message_id: _, edited_type: edited, ...own } = content;
  return { type: String(edited), text, content: own, words };
}

function nowOf(body: MessageBody): Pick<IncomingMessage, 'text' | 'content' | 'lines'> | null {
  if (body.type === 'revoke') return null;
  const { type, text, content } = keptAs(body);
  return { text, content, lines: descriptions({ type, text, content: contentOf({ type, text, content }) }) };
}
