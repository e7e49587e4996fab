// Sends a template to everybody in a CSV file, and waits until each message has gone out or failed:
//   node send-to-list.ts <bot> <channel> <template> <file of phone,param,param…>
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { retry } from '@leadline/client';
import { leadline } from './service.ts';

const [bot_id = '', channel, template_id = '', file = ''] = process.argv.slice(2);
if (channel !== 'waba' && channel !== 'waba_coexistence')
  throw new Error('the channel is waba or waba_coexistence');

const to = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('+'))
  .map((line) => line.trim().split(','))
  .map(([phone = '', ...params]) => ({ phone, params }));

// The same key in each attempt: however often it is repeated, nobody gets the message twice.
const header = { 'Idempotency-Key': `list-${crypto.randomUUID()}` };
let batch = await retry(() =>
  leadline.post('/api/v1/messages/send-template', {
    params: { header },
    body: { bot_id, channel, template_id, to },
  }),
);
if (!('batch_id' in batch)) throw new Error('a list is answered as a batch');

// Long lists are answered before all of it has gone out.
for (const { batch_id } = batch; batch.queued > 0;) {
  console.log(`${batch.total - batch.queued} of ${batch.total}`);
  await pause(2_000);
  batch = await retry(() => leadline.post('/api/v1/messages/get-batch', { body: { batch_id } }));
}
for (const { phone, message } of batch.results.filter(({ ok }) => !ok)) console.log(`${phone}: ${message}`);
console.log(`sent ${batch.sent}, failed ${batch.failed}, unknown ${batch.unknown}`);
