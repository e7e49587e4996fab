import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccountFixture } from '../database/fixture';
import { eventually } from '../eventually';
import { UploadClient, type GivenFile } from '../clients/upload.client';
import { CloudNumber, postGupshup, wamid } from '../stand-ins/cloud.webhooks';
import { FileProvider, type ProvidedFile } from '../stand-ins/file.provider';
import { InboundScene } from './inbound.scene';
import type { SceneOptions } from './lead.scene';

/** A file as get-message shows it. */
export interface ShownMedia {
  id: string;
  kind: string;
  mime_type: string | null;
  file_name: string | null;
  size: number | null;
  width: number | null;
  height: number | null;
  seconds: number | null;
  sha256: string | null;
  state: string;
  url: string;
}

interface SentFile extends Partial<ProvidedFile> {
  bytes: Buffer;
  /** As the webhook calls it: `image`, `document`, `audio`, … */
  type?: string;
  fileName?: string;
  caption?: string;
  voice?: boolean;
  /** Of the customer, in digits. */
  phone?: string;
}

const PHONE = '77015550101';
let sent = 0;

/** A scene whose customers send files, and a folder in which they are kept. */
export class MediaScene extends InboundScene {
  files: FileProvider;
  folder: string;
  /** A key that may make as many calls as a test needs. */
  manyCallsKey: string;

  override async start(): Promise<void> {
    await super.start();
    this.manyCallsKey = await this.account.addKey({ limitLeads: 100_000, limitGeneral: 100_000 });
  }

  override async addNumber(): Promise<CloudNumber> {
    return new CloudNumber(await this.account.connect());
  }

  /** A customer sends a file. @returns the id of its message. */
  async sendFile({ type = 'document', fileName, caption, voice, ...file }: SentFile): Promise<string> {
    const { change, message } = this.fileOf({ type, fileName, caption, voice, ...file });
    await this.tell(change);
    return this.messageOf(message);
  }

  /** The webhook of a file that the provider has from now on. */
  fileOf(
    { type = 'document', fileName, caption, voice, phone = PHONE, ...file }: SentFile,
    number = this.number,
  ) {
    const id = `file-${(sent += 1)}`;
    const message = wamid();
    this.files.files.set(id, file);
    const content = {
      type,
      [type]: { id, mime_type: file.mimeType, filename: fileName, caption, voice },
    };
    return { id, message, change: number.message({ phone }, content, { id: message }) };
  }

  /** The event of a file at Gupshup, whose address needs no key. */
  gupshupFileOf({ type = 'file', fileName, caption, ...file }: SentFile) {
    const id = `file-${(sent += 1)}`;
    const message = wamid();
    this.files.files.set(id, file);
    const content = {
      url: `${this.files.url}/bytes/${id}`,
      contentType: file.mimeType,
      name: fileName,
      caption,
    };
    const sender = { phone: PHONE, name: 'Aida' };
    const payload = { id: message, source: sender.phone, type, payload: content, sender };
    const event = { app: 'TestApp', timestamp: Date.now(), version: 2, type: 'message', payload };
    return { id, message, event };
  }

  /** Posts events of Gupshup, and waits until they are handled. */
  async tellGupshup(...events: object[]): Promise<void> {
    for (const event of events) {
      const { status, text } = await postGupshup(this.server, this.account.botId, event);
      if (status !== 200) throw new Error(`the webhook was answered ${status} ${text}`);
    }
    await this.taken();
  }

  async messageOf(providerId: string): Promise<string> {
    const { rows } = await this.database.pool.query<{ id: string }>(
      'SELECT id FROM messages WHERE provider_id = $1',
      [providerId],
    );
    if (!rows[0]) throw new Error(`no message ${providerId}`);
    return rows[0].id;
  }

  /** The file of a message, when it is in a state. */
  async mediaIn(
    state: string,
    messageId: string,
    milliseconds = 15_000,
    key = this.manyCallsKey,
  ): Promise<ShownMedia> {
    let media: ShownMedia | null = null;
    await eventually(
      async () => {
        media = (await this.apiAt(0, key).getMessage(messageId)).body.data.media as ShownMedia | null;
        return media?.state === state;
      },
      milliseconds,
      `the file did not become ${state}`,
    );
    return media!;
  }

  async stored(file: SentFile): Promise<ShownMedia> {
    return this.mediaIn('stored', await this.sendFile(file));
  }

  /** The same for a customer of another account, which gets a number. */
  async storedFor(account: AccountFixture, file: SentFile): Promise<ShownMedia> {
    const number = new CloudNumber(await account.connect());
    const { change, message } = this.fileOf(file, number);
    await this.tell(change);
    return this.mediaIn('stored', await this.messageOf(message), undefined, account.key);
  }

  /** Uploads as an integrator does. */
  uploads(key = this.manyCallsKey): UploadClient {
    return new UploadClient(this.server.url, { 'X-API-Key': key });
  }

  /** A file that was uploaded. */
  async uploaded(file: GivenFile, key?: string): Promise<ShownMedia> {
    const { body, text } = await this.uploads(key).upload(file);
    if (!body.ok) throw new Error(text);
    return body.data.media as ShownMedia;
  }

  /** Reads a file as an integrator does. */
  read(url: string, headers: Record<string, string> = {}, key = this.account.key): Promise<Response> {
    return fetch(`${this.server.url}${url}`, { headers: { 'X-API-Key': key, ...headers } });
  }

  /** Every file of the store, temporary ones too. */
  async keptFiles(): Promise<string[]> {
    const entries = await readdir(this.folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  }

  override async close(): Promise<void> {
    await super.close();
    await this.files?.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Its stand-ins know its account. */
  protected override get sharesServer(): boolean {
    return false;
  }

  protected override async startStandIns(): Promise<Record<string, string>> {
    this.files = await FileProvider.start();
    this.folder = await mkdtemp(join(tmpdir(), 'leadline-media-'));
    return { ...this.files.environment, MEDIA_DIR: this.folder };
  }
}

/** Sets the scene for a test file; it is there from the first hook on. */
export function setMediaScene(options?: SceneOptions): MediaScene {
  const scene = new MediaScene(options);
  beforeAll(() => scene.start());
  afterAll(() => scene.close());
  return scene;
}
