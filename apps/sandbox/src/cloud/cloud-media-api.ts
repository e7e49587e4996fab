import { randomBytes } from 'node:crypto';
import { BYTES_MAX, bareType, kindOfType, TYPES_TAKEN } from '../files/file-kinds';
import { serveFile } from '../files/file-acts';
import type { FileStore, StoredFile } from '../files/file.store';
import { FILE_BYTES_MAX, type Call, type CallRouter } from '../http/call-router';
import { answer, answerJson, text } from '../http/json.answer';
import type { LedgerBuffer } from '../ledger-buffer';
import type { PendingTimers } from '../pending-timers';
import type { CloudNumber } from '../sandbox-options';
import { CloudError, missingObject, bearer, guarded, requireKnown } from './cloud.errors';

/** An address of a file can be used for five minutes (Meta: Retrieve Media URL). */
const ADDRESS_SECONDS = 5 * 60;

/** The app of all tokens. */
const APP_ID = '1234567890123456';
const SAMPLE_TYPES = ['application/pdf', 'image/jpeg', 'image/jpg', 'image/png', 'video/mp4'];

/** Uploads of samples take tokens in this form alone (Meta: Resumable Upload API). */
function oauth(header: string | undefined): string {
  if (!header?.startsWith('OAuth ')) throw new CloudError(104);
  return header.slice('OAuth '.length);
}

/** Files at Meta: uploaded, looked up, fetched, deleted. Customers' files are kept here too. */
export class CloudMediaApi {
  private readonly sessions = new Map<
    string,
    { token: string; size: number; type: string; name: string | null }
  >();
  private readonly handles = new Map<string, string>();

  constructor(
    private readonly numbers: readonly CloudNumber[],
    private readonly files: FileStore,
    private readonly ledger: LedgerBuffer,
    private readonly timers: PendingTimers,
  ) {}

  addTo(router: CallRouter): void {
    router
      .on(
        'POST',
        /^\/v\d+\.\d+\/([^/]+)\/media$/,
        guarded((call) => this.upload(call)),
        FILE_BYTES_MAX,
      )
      .on(
        'GET',
        /^\/v\d+\.\d+\/app$/,
        guarded(({ request, response }) => {
          requireKnown(this.numbers, bearer(request.headers.authorization));
          answerJson(response, 200, { id: APP_ID });
        }),
      )
      .on(
        'POST',
        /^\/v\d+\.\d+\/([^/]+)\/uploads$/,
        guarded((call) => this.beginSample(call)),
      )
      .on(
        'POST',
        /^\/v\d+\.\d+\/(upload:[^/]+)$/,
        guarded((call) => this.takeSample(call)),
        FILE_BYTES_MAX,
      )
      .on(
        'DELETE',
        /^\/v\d+\.\d+\/([^/]+)$/,
        guarded((call) => this.remove(call)),
      )
      .on(
        'GET',
        /^\/whatsapp_business\/attachments\/$/,
        guarded((call) => this.fetch(call)),
      );
  }

  /** The file of this id, if it belongs to a number of the token. */
  ofToken(token: string, id: string): StoredFile | null {
    const file = this.files.find(id);
    const owner = this.numbers.find(({ sender }) => sender === file?.sender);
    return file && owner?.token === token ? file : null;
  }

  /** What Meta tells of a file, with an address of it. */
  describe(file: StoredFile): object {
    const expires = Math.floor(Date.now() / 1000) + ADDRESS_SECONDS;
    const size = file.bytes.length;
    return {
      messaging_product: 'whatsapp',
      url: this.files.cloudUrl(file, expires),
      mime_type: file.mimeType,
      sha256: file.sha256.toString('hex'),
      file_size: String(file.act === 'understated' ? Math.ceil(size / 10) : size),
      id: file.id,
    };
  }

  private async upload(call: Call): Promise<void> {
    const {
      request,
      response,
      params: [id = ''],
    } = call;
    const token = bearer(request.headers.authorization);
    requireKnown(this.numbers, token);
    const number = this.numbers.find(({ sender }) => sender === id);
    if (number?.token !== token || !number) throw missingObject(id);
    try {
      const file = this.files.add({ sender: id, ...(await uploadOf(call)) });
      this.note(number, file.name, 'taken');
      answerJson(response, 200, { id: file.id });
    } catch (error) {
      if (error instanceof CloudError) this.note(number, null, `refused ${error.code}`);
      throw error;
    }
  }

  /** Begins a session for a template's sample (Meta: Resumable Upload API). */
  private beginSample({ request, response, params: [app = ''], query }: Call): void {
    const token = oauth(request.headers.authorization);
    requireKnown(this.numbers, token);
    if (app !== APP_ID) throw missingObject(app);
    const [size, type] = [Number(query.get('file_length')), query.get('file_type') ?? ''];
    if (!Number.isInteger(size) || size < 1 || !SAMPLE_TYPES.includes(type))
      throw new CloudError(100, 'file_length and a supported file_type are required.');
    const id = `upload:${randomBytes(24).toString('base64url')}`;
    this.sessions.set(id, { token, size, type, name: query.get('file_name') });
    answerJson(response, 200, { id });
  }

  private takeSample({ request, response, params: [id = ''], body }: Call): void {
    const token = oauth(request.headers.authorization);
    const session = this.sessions.get(id);
    if (session?.token !== token || !session) throw missingObject(id);
    if (request.headers.file_offset !== '0') throw new CloudError(100, 'The header file_offset is required.');
    if (body.length !== session.size)
      throw new CloudError(100, 'The file is not as long as it was said to be.');
    this.sessions.delete(id);
    const handle = `4::${randomBytes(24).toString('base64')}`;
    this.handles.set(handle, session.type);
    const number = this.numbers.find((one) => one.token === token);
    if (number) this.note(number, session.name, 'taken');
    answerJson(response, 200, { h: handle });
  }

  /** The type of a sample; null where there is no such handle. */
  typeOfSample(handle: string): string | null {
    return this.handles.get(handle) ?? null;
  }

  private remove({ request, response, params: [id = ''] }: Call): void {
    const token = bearer(request.headers.authorization);
    requireKnown(this.numbers, token);
    if (!this.ofToken(token, id)) throw missingObject(id);
    this.files.remove(id);
    answerJson(response, 200, { success: true });
  }

  private fetch({ request, response, query }: Call): void {
    const token = bearer(request.headers.authorization);
    const file = this.ofToken(token, query.get('mid') ?? '');
    const isOver = Number(query.get('ext')) * 1000 < Date.now();
    if (!file || file.secret !== query.get('hash') || isOver)
      return answer(response, { status: 404, body: '', headers: { 'content-type': 'text/html' } });
    serveFile(file, response, this.timers);
  }

  private note({ channel, sender }: CloudNumber, name: string | null, outcome: string): void {
    const nobody = { to: null, reference: null, template: null };
    this.ledger.note({ channel, sender, ...nobody, type: 'upload', text: name, outcome });
  }
}

/** The file of a multipart form, if Meta takes it. */
async function uploadOf({ request, body }: Call): Promise<Pick<StoredFile, 'bytes' | 'mimeType' | 'name'>> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const form = await new Response(new Uint8Array(body), { headers }).formData().catch(() => null);
  if (form?.get('messaging_product') !== 'whatsapp')
    throw new CloudError(100, 'The parameter messaging_product is required.');
  const file = form.get('file');
  if (!(file instanceof File)) throw new CloudError(100, 'The parameter file is required.');
  const mimeType = text(form.get('type')) ?? file.type;
  const kind = kindOfType(mimeType);
  if (kind === null)
    throw new CloudError(
      100,
      `Param file must be a file with one of the following types: ${Object.values(TYPES_TAKEN).flat().join(', ')}. Received file of type '${bareType(mimeType)}'.`,
    );
  if (file.size === 0 || file.size > BYTES_MAX[kind])
    throw new CloudError(131053, `Media file of type ${kind} must have 1 to ${BYTES_MAX[kind]} bytes.`);
  return { bytes: Buffer.from(await file.arrayBuffer()), mimeType, name: file.name };
}
