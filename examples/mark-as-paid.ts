// Marks a customer as paid, as an accounting system does when an invoice is settled:
//   node mark-as-paid.ts <phone> <invoice number>
import { ApiError, retry } from '@leadline/client';
import { leadline } from './service.ts';

const [phone = '', invoice = ''] = process.argv.slice(2);
// By this id the log, the history and every board know what the move was for.
const requestId = `invoice-${invoice}`;

try {
  const { threads } = await leadline.post('/api/v1/messages/get-threads', { body: { phones: [phone] } });
  if (threads.length === 0) {
    console.error(`${phone} has no dialog`);
    process.exitCode = 1;
  }
  for (const { thread_id, assistant_id } of threads) {
    const funnel = await leadline.post('/api/v1/leads/get-statuses', { body: { assistant_id } });
    const paid = funnel.statuses.find(({ kind }) => kind === 'success');
    if (!paid) throw new Error(`the funnel of ${assistant_id} has no stage for success`);
    // Repeated, it moves nothing a second time.
    const { changed } = await retry(() =>
      leadline.post('/api/v1/leads/set-status', { body: { thread_id, status_id: paid.id }, requestId }),
    );
    console.log(`${thread_id}: ${changed ? 'moved to' : 'already at'} ${paid.name}`);
  }
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.error(`${error.code}: ${error.message} (request ${error.requestId})`);
  process.exitCode = 1;
}
