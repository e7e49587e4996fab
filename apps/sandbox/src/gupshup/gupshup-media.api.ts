import { serveFile } from '../files/file.acts';
import type { FileStore } from '../files/file.store';
import type { CallRouter } from '../http/call.router';
import { answerJson } from '../http/json.answer';
import type { PendingTimers } from '../pending.timers';

/** The addresses of customers' files at Gupshup. Whoever has one may fetch the file. */
export function addGupshupFiles(router: CallRouter, files: FileStore, timers: PendingTimers): void {
  router.on('GET', /^\/wa\/([^/]+)\/wa\/media\/(\d+)$/, ({ response, params: [secret, id = ''] }) => {
    const file = files.find(id);
    if (file?.secret !== secret || !file) return answerJson(response, 404, { status: 'error' });
    serveFile(file, response, timers);
  });
}
