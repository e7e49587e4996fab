import type { Dirent } from 'node:fs';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError } from '@app/contracts/coded.errors';
import type { FileSource, FileTarget, KeptFile } from '@app/domain/backup/backup-file.port';

/** `pathOf` of the store, without the smaller pictures, which are made anew when they are asked for. */
const KEPT = /^[0-9a-f-]{36}\/[0-9a-f]{2}\/[0-9a-f]{64}$/;

/** Says that a restore began to fill the folder, and that no database is known to name its files. */
const UNFINISHED = '.restoring';
/** What a server makes in an empty folder. */
const SPOOL = '.incoming';

/** The files of customers that a folder has. */
export class MediaFolderSource implements FileSource {
  constructor(private readonly folder: string) {}

  async *files(): AsyncGenerator<KeptFile> {
    for (const account of await entriesOf(this.folder))
      for (const part of await entriesOf(join(this.folder, account)))
        for (const name of await entriesOf(join(this.folder, account, part))) {
          const path = `${account}/${part}/${name}`;
          if (KEPT.test(path)) yield* fileOf(this.folder, path);
        }
  }
}

/** A file may be deleted between its listing and its reading. One that is open stays whole. */
async function* fileOf(folder: string, path: string): AsyncGenerator<KeptFile> {
  const file = await open(join(folder, path)).catch(nullIfMissing);
  if (!file) return;
  try {
    const { size } = await file.stat();
    yield { path, size, bytes: file.createReadStream({ autoClose: false }) };
  } finally {
    await file.close();
  }
}

const entriesOf = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch((error: unknown) => nullIfMissing(error) ?? [])).sort();

function nullIfMissing(error: unknown): null {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return null;
  throw error;
}

/** An empty folder that gets the files of a backup. */
export class MediaFolderTarget implements FileTarget {
  private readonly made = new Set<string>();

  constructor(private readonly folder: string) {}

  async begin(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const there = await readdir(this.folder, { withFileTypes: true });
    if (!there.some(({ name }) => name === UNFINISHED)) this.refuseFilled(there);
    // Before anything goes, and for as long as something may be left: a try that is killed here is simply done again.
    await (await open(join(this.folder, UNFINISHED), 'w')).close();
    for (const { name } of there)
      if (name !== UNFINISHED) await rm(join(this.folder, name), { recursive: true });
  }

  async put(path: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    if (!KEPT.test(path)) throw new Error('this names no file');
    const place = join(this.folder, path);
    if (!this.made.has(dirname(place))) await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    this.made.add(dirname(place));
    await using file = await open(place, 'w', 0o600);
    for await (const piece of bytes) await file.appendFile(piece);
    await file.sync();
  }

  async flush(): Promise<void> {
    for (const folder of [...this.made, ...new Set([...this.made].map(dirname)), this.folder]) {
      await using made = await open(folder);
      await made.sync();
    }
  }

  async finish(): Promise<void> {
    await rm(join(this.folder, UNFINISHED));
  }

  private refuseFilled(there: readonly Dirent[]): void {
    if (there.some(({ name }) => name !== SPOOL))
      throw new StartError(
        `The folder of files, ${this.folder}, is not empty. Files that the restored database does not know would stay there unseen: move it away, or name another one by MEDIA_DIR or --media.`,
      );
  }
}
