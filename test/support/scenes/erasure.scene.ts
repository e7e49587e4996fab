import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Answer, ApiClient } from '../clients/api.client';
import { FileAndSendProvider } from '../stand-ins/file-and-send.provider';
import type { ScriptedProvider } from '../stand-ins/scripted.provider';
import { extend, type SceneOptions } from './base.scene';
import { sceneOf } from './scene.opening';
import { folderFor } from './media.scene';
import { makeReplyScene } from './reply.scene';

/** Everything that the service keeps: the rows of all tables, and the files of the store. */
export interface Kept {
  /** Each row as text, with its table. */
  rows: { table: string; row: string }[];
  files: { name: string; bytes: Buffer }[];
}

export type ErasureScene = ReturnType<typeof makeErasureScene>;

/** A scene with all that tells of customers: files, an agent with a model, and a provider. Its stand-ins know its account. */
function makeErasureScene(options?: SceneOptions) {
  let both: FileAndSendProvider;
  let folder: string;

  const startProvider = async (): Promise<ScriptedProvider> => {
    both = await FileAndSendProvider.start();
    scene.whenClosed(() => both.stop());
    return both.sends;
  };
  const scene = extend(makeReplyScene({ ...options, ownServer: true }, startProvider), {
    get both(): FileAndSendProvider {
      return both;
    },

    get folder(): string {
      return folder;
    },

    erase(threadId: string, admin: ApiClient = scene.admin): Promise<Answer> {
      return admin.admin('POST', `threads/${threadId}/erase`, {});
    },

    async query<Row extends object>(sql: string, ...values: unknown[]): Promise<Row[]> {
      return (await scene.database.pool.query<Row>(sql, values)).rows;
    },

    /** Walks the catalogue, so that no table is forgotten. */
    async everything(): Promise<Kept> {
      const { pool } = scene.database;
      const { rows: tables } = await pool.query<{ name: string }>(
        `SELECT format('%I', relname) AS name FROM pg_class
          WHERE relkind IN ('r', 'p', 'm') AND relnamespace = 'public'::regnamespace`,
      );
      const rows: Kept['rows'] = [];
      for (const { name } of tables) {
        const { rows: found } = await pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
        rows.push(...found.map(({ row }) => ({ table: name, row })));
      }
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const paths = entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name));
      const files = await Promise.all(paths.map(async (name) => ({ name, bytes: await readFile(name) })));
      return { rows, files };
    },

    /** Where any of these texts still stands. */
    async tracesOf(...texts: string[]): Promise<string[]> {
      const kept = await scene.everything();
      return texts.flatMap((text) => findIn(kept, text).map((where) => `${text} in ${where}`));
    },
  });

  scene.withStandIns(async () => {
    folder = await folderFor(scene);
    return { ...both.environment, MEDIA_DIR: folder };
  });
  return scene;
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

export const { set: setErasureScene, open: openErasureScene } = sceneOf(makeErasureScene);
