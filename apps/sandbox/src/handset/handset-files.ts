import { FILE_ACTS, type FileStore } from '../files/file.store';
import { bareType } from '../files/file-kinds';
import { FILE_BYTES_MAX, type Call, type CallRouter, refuseForeignPages } from '../http/call-router';
import { answerJson } from '../http/json.answer';
import type { CustomerPhone } from './customer-phone';
import { guarded } from './customer-file';

/** Types that a browser shows inside the page. All others are offered as downloads. */
const SHOWN_TYPES = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'video/mp4',
  'video/3gpp',
  'audio/aac',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
]);

/** The files of chats: shown by the page, and sent by it as bytes. */
export function addHandsetFiles(router: CallRouter, files: FileStore, customer: CustomerPhone): void {
  router
    .on('GET', /^\/handset\/api\/file-acts$/, ({ response }) => answerJson(response, 200, FILE_ACTS))
    .on('GET', /^\/handset\/api\/files\/(\d+)$/, (call) => show(call, files))
    .on(
      'POST',
      /^\/handset\/api\/files$/,
      refuseForeignPages(guarded((call) => send(call, customer))),
      FILE_BYTES_MAX,
    );
}

function show({ response, params: [id = ''] }: Call, files: FileStore): void {
  const file = files.find(id);
  if (!file) return answerJson(response, 404, { error: 'There is no such file.' });
  const isShown = SHOWN_TYPES.has(bareType(file.mimeType));
  const name = encodeURIComponent(file.name ?? `file-${file.id}`);
  response.writeHead(200, {
    'content-type': isShown ? file.mimeType : 'application/octet-stream',
    'content-length': file.bytes.length,
    'content-disposition': isShown ? 'inline' : `attachment; filename*=UTF-8''${name}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });
  response.end(file.bytes);
}

/** The body is the file; everything else is in the query, as in the JSON of a message. */
function send({ response, query, body }: Call, customer: CustomerPhone): void {
  const given = (key: string): string | undefined => query.get(key) ?? undefined;
  const times = given('act_times');
  const file = {
    kind: given('kind') ?? '',
    bytes: body,
    name: given('name'),
    mime_type: given('mime_type'),
    caption: given('caption'),
    act: given('act'),
    ...(times === undefined ? {} : { act_times: Number(times) }),
  };
  const whose = {
    sender: given('sender') ?? '',
    phone: given('phone') ?? '',
    name: given('customer_name'),
    reply_to: given('reply_to'),
  };
  answerJson(response, 200, customer.write({ ...whose, file }));
}
