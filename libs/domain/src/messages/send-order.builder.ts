import { randomUUIDv7 } from 'node:crypto';
import { canonicalJson } from '@app/contracts/canonical.json';
import { contactOf } from '@app/contracts/contact.address';
import type { Channel } from '@app/contracts/message.words';
import type { MessageIntent } from '@app/persistence/messages/outbox.repository';
import { contentFor, textFor, type TemplateChoice, type TemplateRecipient } from './template.content';

/**
 * The messages of a call, in the order asked, which is also the order of their ids.
 * @param skipDuplicates whether a recipient equal to an earlier one is stored as its duplicate instead of being sent
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
    const same = skipDuplicates ? canonicalJson(recipient) : '';
    const duplicate = skipDuplicates && seen.has(same);
    seen.add(same);
    return {
      id: ids[index] as string,
      newThreadId: randomUUIDv7(),
      contact: contactOf(recipient.phone),
      phone: recipient.phone,
      type: content.type,
      text: textFor(choice, content),
      content: { ...content },
      duplicate,
    };
  });
}
