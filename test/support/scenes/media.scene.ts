import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccountFixture } from '../database/fixture';
import { eventually } from '../eventually';
import { UploadClient, type GivenFile } from '../clients/upload.client';
import { CloudNumber, postGupshup, wamid, type Change } from '../stand-ins/cloud.webhooks';
import { FileProvider, type ProvidedFile } from '../stand-ins/file.provider';
import { extend, type Scene, type SceneOptions } from './base.scene';
import { sceneOf } from './scene.opening';
import { makeInboundScene, withToken } from './inbound.scene';

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
  transcript: { state: string; text: string | null; language: string | null } | null;
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

export type MediaScene = ReturnType<typeof makeMediaScene>;

/** A scene whose customers send files, and a folder in which they are kept. Its stand-ins know its account. */
function makeMediaScene(options?: SceneOptions) {
  let files: FileProvider;
  let folder: string;
  let manyCallsKey: string;

  const base = makeInboundScene({ ...options, ownServer: true }, withToken);
  const scene = extend(base, {
    /** A key that may make as many calls as a test needs. */
    get manyCallsKey(): string {
      return manyCallsKey;
    },

    set manyCallsKey(key) {
      manyCallsKey = key;
    },

    get files(): FileProvider {
      return files;
    },

    get folder(): string {
      return folder;
    },

    /** A customer sends a file. @returns the id of its message. */
    async sendFile({ type = 'document', fileName, caption, voice, ...file }: SentFile): Promise<string> {
      const { change, message } = scene.fileOf({ type, fileName, caption, voice, ...file });
      await scene.tell(change);
      return scene.messageOf(message);
    },

    /** The webhook of a file that the provider has from now on. */
    fileOf(
      { type = 'document', fileName, caption, voice, phone = PHONE, ...file }: SentFile,
      number = base.number,
    ): { id: string; message: string; change: Change } {
      const id = `file-${(sent += 1)}`;
      const message = wamid();
      files.files.set(id, file);
      const content = {
        type,
        [type]: { id, mime_type: file.mimeType, filename: fileName, caption, voice },
      };
      return { id, message, change: number.message({ phone }, content, { id: message }) };
    },

    /** The event of a file at Gupshup, whose address needs no key. */
    gupshupFileOf({ type = 'file', fileName, caption, ...file }: SentFile): {
      id: string;
      message: string;
      event: object;
    } {
      const id = `file-${(sent += 1)}`;
      const message = wamid();
      files.files.set(id, file);
      const content = {
        url: `${files.url}/bytes/${id}`,
        contentType: file.mimeType,
        name: fileName,
        caption,
      };
      const sender = { phone: PHONE, name: 'Aida' };
      const payload = { id: message, source: sender.phone, type, payload: content, sender };
      const event = { app: 'TestApp', timestamp: Date.now(), version: 2, type: 'message', payload };
      return { id, message, event };
    },

    /** Posts events of Gupshup, and waits until they are handled. */
    async tellGupshup(...events: object[]): Promise<void> {
      for (const event of events) {
        const { status, text } = await postGupshup(scene.server, scene.account.botId, event);
        if (status !== 200) throw new Error(`the webhook was answered ${status} ${text}`);
      }
      await scene.taken();
    },

    async messageOf(providerId: string): Promise<string> {
      const { rows } = await scene.database.pool.query<{ id: string }>(
        'SELECT id FROM messages WHERE provider_id = $1',
        [providerId],
      );
      if (!rows[0]) throw new Error(`no message ${providerId}`);
      return rows[0].id;
    },

    /** The file of a message, when it is in a state. */
    async mediaIn(
      state: string,
      messageId: string,
      milliseconds: number = 15_000,
      key = manyCallsKey,
    ): Promise<ShownMedia> {
      let media: ShownMedia | null = null;
      await eventually(
        async () => {
          media = (await scene.apiAt(0, key).getMessage(messageId)).body.data.media as ShownMedia | null;
          return media?.state === state;
        },
        milliseconds,
        `the file did not become ${state}`,
      );
      return media!;
    },

    async stored(file: SentFile): Promise<ShownMedia> {
      return scene.mediaIn('stored', await scene.sendFile(file));
    },

    /** The same for a customer of another account, which gets a number. */
    async storedFor(account: AccountFixture, file: SentFile): Promise<ShownMedia> {
      const number = new CloudNumber(await account.connect());
      const { change, message } = scene.fileOf(file, number);
      await scene.tell(change);
      return scene.mediaIn('stored', await scene.messageOf(message), undefined, account.key);
    },

    /** Uploads as an integrator does. */
    uploads(key = manyCallsKey): UploadClient {
      return new UploadClient(scene.server.url, { 'X-API-Key': key });
    },

    /** A file that was uploaded. */
    async uploaded(file: GivenFile, key?: string): Promise<ShownMedia> {
      const { body, text } = await scene.uploads(key).upload(file);
      if (!body.ok) throw new Error(text);
      return body.data.media as ShownMedia;
    },

    /** Reads a file as an integrator does. */
    read(url: string, headers: Record<string, string> = {}, key = base.account.key): Promise<Response> {
      return fetch(`${scene.server.url}${url}`, { headers: { 'X-API-Key': key, ...headers } });
    },

    /** Every file of the store, temporary ones too. */
    async keptFiles(): Promise<string[]> {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    },
  });

  scene.withStandIns(async () => {
    files = await FileProvider.start();
    scene.whenClosed(() => files.stop());
    folder = await folderFor(scene);
    return { ...files.environment, MEDIA_DIR: folder };
  });
  scene.whenStarted(async () => {
    // The account's own: what was not sent yet is for the key that uploaded it.
    await scene.database.pool.query(
      'UPDATE api_keys SET limit_leads = 100000, limit_general = 100000 WHERE account_id = $1',
      [scene.account.id],
    );
    manyCallsKey = scene.account.key;
  });
  return scene;
}

/** A folder for the files of a scene's servers, as long as it is open. */
export async function folderFor(scene: Scene): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'leadline-media-'));
  scene.whenClosed(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export const { set: setMediaScene, open: openMediaScene } = sceneOf(makeMediaScene);
