import type { ServerResponse } from 'node:http';
import { answer, answerJson } from '../http/json.answer';
import { hang, REDIRECT, reset } from '../exchange/lost-answers';
import type { PendingTimers } from '../pending-timers';
import type { FileAct, StoredFile } from './file.store';

const DRIP_MS = 200;
const CHUNK = Buffer.alloc(64 * 1024, 'a');

/** What the file does this time, counted down. */
function actOf(file: StoredFile): FileAct | null {
  if (file.act === null || file.actTimes === null) return file.act;
  if (file.actTimes === 0) return null;
  file.actTimes -= 1;
  return file.act;
}

/** Answers a request for the bytes of a file. */
export function serveFile(file: StoredFile, response: ServerResponse, timers: PendingTimers): void {
  const { bytes, mimeType } = file;
  const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
  const begin = (length: number | null, type = mimeType): void => {
    response.writeHead(200, {
      'content-type': type,
      ...(length === null ? {} : { 'content-length': length }),
    });
  };
  const act = actOf(file);
  switch (act) {
    case 'drip':
      begin(bytes.length);
      return drip(bytes, response, timers);
    case 'stall':
      begin(bytes.length);
      response.write(half);
      return hang();
    case 'cut':
      begin(bytes.length);
      response.write(half, () => response.socket?.destroy());
      return;
    case 'overstated':
      begin(bytes.length * 10);
      response.write(bytes, () => response.socket?.end());
      return;
    case 'endless':
      begin(null);
      return pour(response);
    case 'redirect':
      return answer(response, REDIRECT);
    case 'hang':
      return hang();
    case 'reset':
      return reset(response);
    case 'missing':
      return answerJson(response, 404, { error: 'There is no such file.' });
    case 'server-error':
      return answerJson(response, 503, { error: 'Service temporarily unavailable' });
    case 'html-type':
    case 'understated':
    case 'wrong-hash':
    case null:
      begin(bytes.length, act === 'html-type' ? 'text/html' : mimeType);
      response.end(bytes);
  }
}

function drip(bytes: Buffer, response: ServerResponse, timers: PendingTimers, from = 0): void {
  if (response.destroyed) return;
  if (from >= bytes.length) {
    response.end();
    return;
  }
  response.write(bytes.subarray(from, from + 1));
  timers.after(DRIP_MS, () => drip(bytes, response, timers, from + 1));
}

function pour(response: ServerResponse): void {
  while (!response.destroyed) {
    if (response.write(CHUNK)) continue;
    response.once('drain', () => pour(response));
    return;
  }
}
