import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** A reader that takes nothing for so long is given up. */
const READER_MS = 60_000;

/**
 * Answers with objects, one a line (NDJSON), as fast as the reader takes them. The connection breaks where they do not
 * come whole: the reader must not take a part for all.
 */
export async function answerLines(
  response: Response,
  name: string,
  lines: AsyncIterable<object>,
): Promise<void> {
  response.set({
    'Content-Type': 'application/x-ndjson; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}"`,
    'X-Content-Type-Options': 'nosniff',
  });
  response.setTimeout(READER_MS, () => response.destroy());
  await pipeline(Readable.from(textOf(lines)), response).catch(() => response.destroy());
}

async function* textOf(lines: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}
