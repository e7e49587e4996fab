import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InterruptedError, RefusedError, UsageError } from '../cli.errors';
import type { Output } from './terminal-output';

const LINE_END = 0x0a;
/** It has customers' data: for the user who asked for it alone, until they decide otherwise. */
const OWN_MODE = 0o600;
const PERMISSIONS = 0o7777;

interface Writing {
  /** How many lines have come so far. */
  told?: (lines: number) => void;
  signal?: AbortSignal;
}

/** Before a file is asked for. @throws UsageError: a terminal is no place for one, and what is in it may act there */
export function requirePlace(path: string | undefined, output: Output): void {
  if (path === undefined && output.isTerminal)
    throw new UsageError('It is a file: give --out FILE, or a pipe');
}

const leftAt = (path: string | undefined): string =>
  path === undefined ? 'what came is not whole' : `${path} was not written`;

/** The same whether the file has begun to come or not. */
export const interruptedAt = (path: string | undefined): InterruptedError =>
  new InterruptedError(`Interrupted: ${leftAt(path)}`);

/**
 * Writes what comes, without holding it in memory: to stdout, or to a file, which is there whole or not at all.
 * @throws RefusedError, InterruptedError: it is not whole
 */
export async function writeStream(
  stream: ReadableStream<Uint8Array>,
  path: string | undefined,
  output: Output,
  { told, signal }: Writing = {},
): Promise<void> {
  const source = Readable.fromWeb(stream as never);
  if (signal) addAbortSignal(signal, source);
  let lines = 0;
  if (told)
    source.on('data', (chunk: Uint8Array) => {
      for (const byte of chunk) if (byte === LINE_END) lines += 1;
      told(lines);
    });
  try {
    if (path !== undefined) await writeWhole(source, path);
    else for await (const chunk of source) await output.bytes(chunk as Uint8Array);
  } catch (error) {
    if (signal?.aborted) throw interruptedAt(path);
    throw new RefusedError(
      `It broke off (${error instanceof Error ? error.message : String(error)}): ${leftAt(path)}`,
    );
  }
}

/**
 * Where a link leads, whom the file there is for, and whether there is something else than a file, such as a device or a
 * pipe: that is written to.
 */
async function targetOf(given: string): Promise<{ path: string; isFile: boolean; mode: number }> {
  const path = await realpath(given).catch(() => given);
  const there = await stat(path).catch(() => null);
  return { path, isFile: there?.isFile() ?? true, mode: there ? there.mode & PERMISSIONS : OWN_MODE };
}

async function writeWhole(source: Readable, given: string): Promise<void> {
  const { path, isFile, mode } = await targetOf(given);
  if (!isFile) return pipeline(source, createWriteStream(path));
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
  try {
    await pipeline(source, createWriteStream(temporary, { flags: 'wx', mode: OWN_MODE, flush: true }));
    await chmod(temporary, mode);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
