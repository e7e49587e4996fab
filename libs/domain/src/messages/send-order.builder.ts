import { randomUUIDv7 } from 'node:crypto';
import { canonicalJson } from '@app/contracts/canonical.json';
import type { Channel } from '@app/contracts/message.words';
import type { MessageIntent } from '@app/persistence/messages/outbox.repository';
import { contentFor, textFor, type TemplateChoice, type TemplateRecipient } from './template.content';

/** What a recipient's dialog is told by. */
const dialogOf = ({ threadId, contact }: TemplateRecipient): string => threadId ?? contact;

/**
 * The messages of a call, in the order asked, which is also the order of their ids.
 * @param skipDuplicates whether a recipient of the same dialog with the same values as an earlier one is stored as its duplicate instead of being sent
 * to
 */
export function intentsFor(
  channel: Channel,
  choice: TemplateChoice,
  recipients: readonly TemplateRecipient[],
  skipDuplicates: boolean,
): MessageIntent[] {
  const seen = new Set<string>();
  // Ids of the same millisecond are not in order.
  const ids = recipients.map(() => randomUUIDv7()).sort();
  return recipients.map((recipient, index) => {
    const content = contentFor(choice, recipient, channel === 'waba');
    const { address, contact, threadId, ...values } = recipient;
    const same = skipDuplicates ? canonicalJson({ dialog: dialogOf(recipient), ...values }) : '';
    const duplicate = skipDuplicates && seen.has(same);
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
