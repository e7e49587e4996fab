import type { RecipientRequest } from '@app/client/api.types';
import { api } from '../../shared/api/page.api';
import { csvOf } from '../../shared/format/csv.file';
import { tellError } from '../../shared/notices/notice.store';
import { sendWords } from './send.words';
import type { SendOrder } from './send.types';

/**
 * Gives customers that were sent to the names of the list, as an import does: their dialogs are there from the moment the
 * part was taken, so it makes none. The sending does not wait for it, and goes on where it fails.
 */
export async function nameCustomers(order: SendOrder, part: readonly RecipientRequest[]): Promise<void> {
  const rows = part.flatMap(({ phone = '' }) => {
    const name = order.names.get(phone);
    return name === undefined ? [] : [{ phone, name }];
  });
  if (rows.length === 0) return;
  const body = new FormData();
  body.set('assistant_id', order.assistantId);
  body.set('bot_id', order.botId);
  body.set('channel', order.channel);
  body.set('file', new Blob([csvOf(rows)], { type: 'text/csv' }), 'names.csv');
  try {
    await api.post('/api/v1/leads/import', { body });
  } catch (error) {
    tellError(error, { detail: sendWords.say('notNamed') });
  }
}
