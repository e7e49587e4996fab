import { randomUUIDv7 } from 'node:crypto';
import { canonicalJson } from '@app/contracts/json-object';
import type { Channel } from '@app/contracts/message.words';
import type { MessageIntent } from '@app/persistence/messages/sending/outbox.repository';
import { contentFor, textFor, type TemplateChoice, type TemplateRecipient } from './template-content';

/** What a recipient's dialog is told by. */
const dialogOf = ({ threadId, contact }: TemplateRecipient): string => threadId ?? contact;

/**
 * Which recipients are stored as duplicates of an earlier one instead of being sent to: none, those of the same dialog with
 * the same values, or, of a sending in several lists, those of a dialog that has its message. The dialogs are those that have
 * it already.
 */
export type Duplicates = 'none' | 'equal' | { dialogs: ReadonlySet<string> };

/** The messages of a call, in the order asked, which is also the order of their ids. */
export function intentsFor(
  channel: Channel,
  choice: TemplateChoice,
  recipients: readonly TemplateRecipient[],
  duplicates: Duplicates,
): MessageIntent[] {
  const seen = new Set<string>(typeof duplicates === 'object' ? duplicates.dialogs : []);
  // Ids of the same millisecond are not in order.
  const ids = recipients.map(() => randomUUIDv7()).sort();
  return recipients.map((recipient, index) => {
    const content = contentFor(choice, recipient, channel === 'waba');
    const { address, contact, threadId, ...values } = recipient;
    const dialog = dialogOf(recipient);
    const same = duplicates === 'equal' ? canonicalJson({ dialog, ...values }) : dialog;
    const duplicate = duplicates !== 'none' && seen.has(same);
    seen.add(same);
    return {
      id: ids[index] as string,
      newThreadId: randomUUIDv7(),
      contact,
      phone: address,
      ...(threadId !== undefined && { threadId }),
      type: content.type,
      text: textFor(choice, content),
      content: { ...content },
      duplicate,
    };
  });
}
