import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '../clients/api.client';
import { addAdminKey } from '../database/fixture';
import { FileAndSendProvider } from '../stand-ins/file-and-send.provider';
import { ModelScript } from '../stand-ins/model.script';
import type { SceneOptions } from './lead.scene';
import { ReplyScene } from './reply.scene';

/** Everything that the service keeps: the rows of all tables, and the files of the store. */
export interface Kept {
  /** Each row as text, with its table. */
  rows: { table: string; row: string }[];
  files: { name: string; bytes: Buffer }[];
}

/** A scene with all that tells of customers: files, an agent with a model, a provider, and an admin. */
export class ErasureScene extends ReplyScene {
  both: FileAndSendProvider;
  folder: string;
  admin: ApiClient;

  override async start(): Promise<void> {
    await super.start();
    const key = await addAdminKey(this.database.pool, { limitGeneral: 100_000, limitLeads: 100_000 });
    this.admin = new ApiClient(this.server.url, key);
  }

  /** Its stand-ins know its account. */
  protected override get sharesServer(): boolean {
    return false;
  }

  protected override async startStandIns(): Promise<Record<string, string>> {
    this.both = await FileAndSendProvider.start();
    this.provider = this.both.sends;
    this.model = await ModelScript.start();
    this.folder = await mkdtemp(join(tmpdir(), 'leadline-erasure-'));
    return { ...this.both.environment, ...this.model.environment, MEDIA_DIR: this.folder };
  }

  erase(threadId: string, admin = this.admin) {
    return admin.admin('POST', `threads/${threadId}/erase`, {});
  }

  async query<Row extends object>(sql: string, ...values: unknown[]): Promise<Row[]> {
    return (await this.database.pool.query<Row>(sql, values)).rows;
  }

  /** Walks the catalogue, so that no table is forgotten. */
  async everything(): Promise<Kept> {
    const { pool } = this.database;
    const { rows: tables } = await pool.query<{ name: string }>(
      `SELECT format('%I', relname) AS name FROM pg_class
        WHERE relkind IN ('r', 'p', 'm') AND relnamespace = 'public'::regnamespace`,
    );
    const rows: Kept['rows'] = [];
    for (const { name } of tables) {
      const { rows: found } = await pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      rows.push(...found.map(({ row }) => ({ table: name, row })));
    }
    const entries = await readdir(this.folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    const files = await Promise.all(paths.map(async (name) => ({ name, bytes: await readFile(name) })));
    return { rows, files };
  }

  /** Where any of these texts still stands. */
  async tracesOf(...texts: string[]): Promise<string[]> {
    const kept = await this.everything();
    return texts.flatMap((text) => findIn(kept, text).map((where) => `${text} in ${where}`));
  }

  override async close(): Promise<void> {
    await super.close();
    await this.both?.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Where a text stands, whatever the case and however it is written: as it is, as bytes, escaped as in JSON. */
export function findIn({ rows, files }: Kept, text: string): string[] {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replace(/[^\x20-\x7e]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const forms = [text, escaped].flatMap((form) => [form.toLowerCase(), Buffer.from(form).toString('hex')]);
  const inRows = rows.filter(({ row }) => forms.some((form) => row.toLowerCase().includes(form)));
  const inFiles = files.filter(({ name, bytes }) => name.includes(text) || bytes.includes(text));
  return [...inRows.map(({ table }) => table), ...inFiles.map(() => 'a file of the store')];
}

/** Sets the scene for a test file. */
export function setErasureScene(options?: SceneOptions): ErasureScene {
  const scene = new ErasureScene(options);
  beforeAll(() => scene.start());
  afterAll(() => scene.close());
  return scene;
}
