import { once } from 'node:events';
import type { Response } from 'express';
import { READER_LIMITS } from '../body/reader-limits';

/** Whoever was fast may be slow for so long afterwards, not for as long as that earned. */
const WAITS_MS_MAX = 3_600_000;

/** The reader left, or is too slow. */
class ReaderGoneError extends Error {
  override readonly name = 'ReaderGoneError';
}

const TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

/** A file that is written as it is read. Its ending says its type. */
export type TextFileName = `${string}.${keyof typeof TYPES}`;

const typeOf = (name: TextFileName): string =>
  TYPES[name.slice(name.lastIndexOf('.') + 1) as keyof typeof TYPES];

/** Answers with objects, one a line (NDJSON): see {@link answerText}. */
export const answerLines = (
  response: Response,
  name: TextFileName,
  lines: AsyncIterable<object>,
): Promise<void> => answerText(response, name, textsOf(lines));

async function* textsOf(lines: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}

/**
 * Answers with a file, as fast as the reader takes it. The connection breaks where it does not come whole: the reader must
 * not take a part for all.
 * @throws what the texts throw
 */
export async function answerText(
  response: Response,
  name: TextFileName,
  texts: AsyncIterable<string>,
): Promise<void> {
  response.set({
    'Content-Type': `${typeOf(name)}; charset=utf-8`,
    'Content-Disposition': `attachment; filename="${name}"`,
    'X-Content-Type-Options': 'nosniff',
  });
  const reader = new LineReader(response);
  try {
    for await (const text of texts) await reader.take(text);
    await reader.takeEnd();
  } catch (error) {
    if (!(error instanceof ReaderGoneError)) throw error;
    response.destroy();
  }
}

/** Who reads an answer, and for how long it may still keep us waiting. */
class LineReader {
  private readonly gone = new AbortController();
  private waitsMs: number;

  constructor(private readonly response: Response) {
    const { silenceMs } = READER_LIMITS;
    this.waitsMs = silenceMs;
    response.setTimeout(silenceMs, () => {
      // Not where we are the silent ones.
      if (response.writableNeedDrain || response.writableEnded) this.gone.abort();
    });
    response.once('close', () => this.gone.abort());
  }

  /** @throws ReaderGoneError */
  async take(text: string): Promise<void> {
    const earnedMs = (Buffer.byteLength(text) / READER_LIMITS.bytesPerSecondMin) * 1_000;
    this.waitsMs = Math.min(this.waitsMs + earnedMs, WAITS_MS_MAX);
    if (!this.response.write(text)) await this.waitFor('drain');
  }

  /** @throws ReaderGoneError */
  async takeEnd(): Promise<void> {
    this.response.end();
    await this.waitFor('finish');
  }

  /** Only this counts, not the time that it takes us to read the lines. */
  private async waitFor(event: 'drain' | 'finish'): Promise<void> {
    if (this.response.destroyed) throw new ReaderGoneError();
    const begun = performance.now();
    const timer = setTimeout(() => this.gone.abort(), Math.max(this.waitsMs, 0));
    try {
      await once(this.response, event, { signal: this.gone.signal });
    } catch {
      throw new ReaderGoneError();
    } finally {
      clearTimeout(timer);
      this.waitsMs -= performance.now() - begun;
    }
  }
}
