import { contactOf } from '@app/contracts/values/phone.words';
import type { Channel } from '@app/contracts/message.words';
import { threadIdOrNothing } from '@app/contracts/uuid.format';
import { ValidationError } from '@app/contracts/coded.errors';
import {
  ThreadChannelRepository,
  type AddressedThread,
} from '@app/persistence/messages/sending/thread-channel.repository';
import { Injectable } from '@nestjs/common';
import { visibilityOf, type Principal } from '../../accounts/principal.rules';
import {
  ThreadErasedError,
  ThreadNotFoundError,
  ThreadsErasedError,
  ThreadsNotFoundError,
} from '../../leads/lead.errors';
import type { TemplateRecipient } from './template-content';

/** A recipient as the caller names it: by the phone, or by the dialog. */
export type AskedRecipient = Omit<TemplateRecipient, 'address' | 'contact' | 'threadId'> & {
  phone?: string;
  threadId?: string;
};

export interface AskedRecipients {
  botId: string;
  channel: Channel;
  to: AskedRecipient | readonly AskedRecipient[];
  /** The dialogs of phones are looked up, too. */
  byDialog: boolean;
}

/** Gupshup sends to phones only. */
const SENDS_TO_USERS: Readonly<Record<Channel, boolean>> = { waba_coexistence: true, waba: false };

/** Finds out to whom a call sends. */
@Injectable()
export class TemplateRecipients {
  constructor(private readonly threads: ThreadChannelRepository) {}

  /**
   * The recipients, in the order asked.
   * @throws ThreadNotFoundError for dialogs that the caller does not see, ThreadErasedError
   * @throws ValidationError for a dialog of another bot or channel, and for one without a phone where the channel needs one
   */
  async find(by: Principal, asked: AskedRecipients): Promise<TemplateRecipient[]> {
    const list = isList(asked.to) ? asked.to : [asked.to];
    const pathOf = (index: number): string => (isList(asked.to) ? `to[${index}].thread_id` : 'to.thread_id');
    const threads = await this.named(by, list);
    const pathsWhere = (isSuch: (thread: AddressedThread | undefined) => boolean): string[] =>
      list.flatMap(({ threadId }, index) =>
        threadId !== undefined && isSuch(threads.get(threadIdOrNothing(threadId))) ? [pathOf(index)] : [],
      );
    const missing = pathsWhere((thread) => thread === undefined);
    if (missing.length > 0)
      throw isList(asked.to) ? new ThreadsNotFoundError(missing) : new ThreadNotFoundError();
    const erased = pathsWhere((thread) => thread !== undefined && thread.erased_at !== null);
    if (erased.length > 0) throw isList(asked.to) ? new ThreadsErasedError(erased) : new ThreadErasedError();
    const faults = list.flatMap(({ threadId }, index) => {
      const message =
        threadId === undefined ? null : faultOf(asked, threads.get(threadIdOrNothing(threadId)));
      return message === null ? [] : [{ path: pathOf(index), message }];
    });
    ValidationError.throwIfAny(faults);
    const known = asked.byDialog ? await this.known(by, asked, list) : new Map<string, string>();
    return list.map(({ phone, threadId, ...values }) => {
      const thread = threadId === undefined ? undefined : threads.get(threadIdOrNothing(threadId));
      if (thread)
        return { address: thread.recipient, contact: thread.contact, threadId: thread.id, ...values };
      const contact = contactOf(phone ?? '');
      const id = known.get(contact);
      return { address: phone ?? '', contact, ...(id !== undefined && { threadId: id }), ...values };
    });
  }

  private async named(
    by: Principal,
    list: readonly AskedRecipient[],
  ): Promise<ReadonlyMap<string, AddressedThread>> {
    const ids = list.flatMap(({ threadId }) => (threadId === undefined ? [] : [threadIdOrNothing(threadId)]));
    const rows = ids.length === 0 ? [] : await this.threads.findMany(visibilityOf(by), ids);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** The dialogs of phones, which may be several forms of one customer. */
  private async known(
    by: Principal,
    { botId, channel }: AskedRecipients,
    list: readonly AskedRecipient[],
  ): Promise<ReadonlyMap<string, string>> {
    const contacts = list.flatMap(({ phone }) => (phone === undefined ? [] : [contactOf(phone)]));
    const { accountId } = visibilityOf(by);
    const rows = await this.threads.ofContacts({ accountId, botId, channel }, [...new Set(contacts)]);
    return new Map(rows.map(({ contact, id }) => [contact, id]));
  }
}

function faultOf({ botId, channel }: AskedRecipients, thread: AddressedThread | undefined): string | null {
  if (!thread) return null;
  if (thread.bot_id !== botId.toLowerCase() || thread.channel !== channel)
    return 'is a dialog of another bot or channel';
  const isPhone = thread.recipient.startsWith('+');
  return isPhone || SENDS_TO_USERS[channel]
    ? null
    : 'the customer of this dialog has no phone, and this channel sends to phones only';
}

const isList = (to: AskedRecipients['to']): to is readonly AskedRecipient[] => Array.isArray(to);
