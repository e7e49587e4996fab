import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '../cli.errors';
import type { Output } from './terminal.output';

const LINE_END = 0x0a;

/**
 * Writes what comes, without holding it in memory: to stdout, or to a file, which is there whole or not at all.
 * @param told how many lines have come so far
 * @throws UsageError: a terminal is no place for a file
 */
export async function writeStream(
  stream: ReadableStream<Uint8Array>,
  path: string | undefined,
  output: Output,
  {
    told,
    signal,
    isText = false,
  }: { told?: (lines: number) => void; signal?: AbortSignal; isText?: boolean } = {},
): Promise<void> {
  const source = Readable.fromWeb(stream as never);
  if (signal) addAbortSignal(signal, source);
  let lines = 0;
  if (told)
    source.on('data', (chunk: Uint8Array) => {
      for (const byte of chunk) if (byte === LINE_END) lines += 1;
      told(lines);
    });
  if (path === undefined) {
    if (output.isTerminal && !isText) {
      source.destroy();
      throw new UsageError('It is a file: give --out FILE, or a pipe');
    }
    for await (const chunk of source) await output.bytes(chunk as Uint8Array);
    return;
  }
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
  try {
    await pipeline(source, createWriteStream(temporary, { flags: 'wx', flush: true }));
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
