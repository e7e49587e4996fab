import { UnreadableError } from '../../webhooks/item.fields';
import type { CloudDialect } from '../../whatsapp-cloud/webhook/cloud.dialect';
import { explainGupshupError } from '../gupshup-error.table';

/**
 * Meta's events as Gupshup passes them on (Gupshup: Meta format events). `gs_id` is the id that answered our request; WhatsApp's id is
 * in `meta_msg_id` or in `id`. The address says whose events they are. The field for our reference holds Gupshup's
 * reference.
 */
export const PASSED_ON: CloudDialect = {
  entryNamesOwner: false,
  numberOf: () => null,
  idsOf(status, state) {
    const id = status.id('id');
    const providerId = status.id('gs_id') ?? (state === 'accepted' || state === 'failed' ? id : null);
    const whatsappId = status.id('meta_msg_id') ?? (state === 'accepted' ? null : id);
    if (providerId === null && whatsappId === null) throw new UnreadableError('no id names the message');
    return { providerId, whatsappId, reference: null };
  },
  explain: (code, words) => explainGupshupError(code ?? '', words),
};
