// Silences the agent in one dialog, at once, also in the middle of a reply:
//   node switch-off.ts <thread>
import { ApiError } from '@leadline/client';
import { leadline } from './service.ts';

const [thread_id = ''] = process.argv.slice(2);
try {
  const body = { thread_id, ai_enabled: false };
  const { changed } = await leadline.post('/api/v1/leads/set-ai', { body });
  console.log(changed ? 'off: nothing of the agent leaves any more' : 'it was off');
} catch (error) {
  if (!(error instanceof ApiError) || error.code !== 'THREAD_NOT_FOUND') throw error;
  console.error(`there is no dialog ${thread_id}`);
  process.exitCode = 1;
}
