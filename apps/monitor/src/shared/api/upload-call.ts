import { ApiError } from '@app/client/api.errors';
import { newRequestId } from '@app/client/api-calls';
import type { Media } from '@app/contracts/media.words';
import { session } from '../session/session.store';

const PATH = '/api/v1/messages/upload-media';
const MEBIBYTE = 2 ** 20;

/** What the messenger takes of a kind, in bytes. The server decides by the file's own bytes. */
const LIMITS: [RegExp, number][] = [
  [/^image\/(jpeg|png)$/, 5 * MEBIBYTE],
  [/^video\/(mp4|3gpp)$/, 16 * MEBIBYTE],
  [/^audio\//, 16 * MEBIBYTE],
];
const MOST = 100 * MEBIBYTE;

/** What a file of this type may have at most, as far as its name tells the type. */
export const sizeLimit = ({ type }: File): number => LIMITS.find(([kind]) => kind.test(type))?.[1] ?? MOST;

/** An upload under way. Only XMLHttpRequest tells how far it has come. */
export interface Upload {
  done: Promise<Media>;
  abort: () => void;
}

/** @param onShare how much of it is there, of 1 */
export function uploadFile(file: File, onShare: (share: number) => void): Upload {
  const request = new XMLHttpRequest();
  const requestId = newRequestId();
  const done = new Promise<Media>((resolve, reject) => {
    const network = (): void =>
      reject(new ApiError({ code: 'NETWORK', message: 'The service was not reached', status: 0, requestId }));
    request.upload.onprogress = ({ loaded, total }) => onShare(total > 0 ? loaded / total : 0);
    request.onerror = network;
    request.ontimeout = network;
    request.onabort = () => reject(new DOMException('Taken back', 'AbortError'));
    request.onload = () => {
      const answer = parsed(request.responseText);
      if (answer?.ok) resolve(answer.data.media);
      else reject(failureOf(request.status, requestId, answer));
    };
  });
  const body = new FormData();
  body.append('file', file, file.name);
  request.open('POST', PATH);
  request.setRequestHeader('X-Request-Id', requestId);
  request.setRequestHeader('X-CSRF-Token', session.csrfToken() ?? '');
  request.send(body);
  return { done, abort: () => request.abort() };
}

type Answer =
  | { ok: true; data: { media: Media } }
  | { ok: false; error: { code: string; message: string; request_id: string } };

function parsed(text: string): Answer | null {
  try {
    return JSON.parse(text) as Answer | null;
  } catch {
    return null;
  }
}

function failureOf(status: number, requestId: string, answer: Answer | null): ApiError {
  if (!answer || answer.ok)
    return new ApiError({ code: 'NOT_JSON', message: `An answer ${status} of a proxy`, status, requestId });
  const { code, message, request_id: id } = answer.error;
  if (code === 'UNAUTHORIZED') session.end();
  return new ApiError({ code: code as ApiError['code'], message, status, requestId: id });
}
