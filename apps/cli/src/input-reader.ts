import { openAsBlob } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { UsageError } from './cli.errors';

const unreadable = (path: string, error: unknown): UsageError =>
  new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);

/** A file, or - for what is piped in. @throws UsageError */
export async function bytesOf(path: string): Promise<Buffer> {
  if (path === '-') return buffer(process.stdin);
  return readFile(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
}

/** A file is read while it is sent, for it may be large; what has no size, such as a pipe, before. */
async function blobOf(path: string): Promise<Blob> {
  return (await stat(path)).isFile() ? openAsBlob(path) : new Blob([new Uint8Array(await readFile(path))]);
}

/** A file as a field of a form. @throws UsageError */
export async function addFile(form: FormData, field: string, path: string): Promise<void> {
  const blob = await blobOf(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  form.append(field, blob, basename(path));
}
