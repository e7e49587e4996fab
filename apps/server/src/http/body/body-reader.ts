import { ValidationError } from '@app/contracts/coded.errors';
import type { Request, Response } from 'express';
import { onBodyBroken } from '../errors/client-error-responder';
import { TooManyBodiesError, PayloadTooLargeError } from '../errors/http.errors';

/** A body up to this size counts as small. */
const SMALL_BYTES = 64 * 1024;

/** The memory that one body takes. */
interface BodyMemory {
  /** Whether that many more bytes may be kept. */
  grow(bytes: number): boolean;
  /** Releases all of it. */
  free(): void;
}

/**
 * Limits how much of the bodies of callers who are not recognised yet a process keeps in memory at once: a webhook's
 * signature and a sign-in's password are known only when the body has been read. Large bodies may take a part only, so
 * that they do not keep small ones out.
 */
export class BodyMemoryPool {
  private held = 0;
  private heldByLarge = 0;

  constructor(
    private readonly bytes: number,
    private readonly bytesOfLarge: number,
  ) {}

  open(): BodyMemory {
    let size = 0;
    const ofLarge = (): number => (size > SMALL_BYTES ? size : 0);
    return {
      grow: (bytes) => {
        const before = ofLarge();
        const after = size + bytes > SMALL_BYTES ? size + bytes : 0;
        const overflows =
          this.held + bytes > this.bytes ||
          (after > 0 && this.heldByLarge - before + after > this.bytesOfLarge);
        if (overflows) return false;
        size += bytes;
        this.held += bytes;
        this.heldByLarge += after - before;
        return true;
      },
      free: () => {
        this.held -= size;
        this.heldByLarge -= ofLarge();
        size = 0;
      },
    };
  }
}

const WITHIN_MS = 60_000;

export interface BodyBounds {
  limitBytes: number;
  /** Longest time until its end; default a minute. */
  withinMs?: number;
  /** Whether that many more bytes may be kept in memory. */
  mayKeep?: (bytes: number) => boolean;
}

/**
 * Reads the body of a request.
 * @throws PayloadTooLargeError
 * @throws TooManyBodiesError when it may not be kept.
 * @throws ValidationError when its end never comes, or not in time.
 */
export function readBody(request: Request, response: Response, bounds: BodyBounds): Promise<Buffer> {
  const { limitBytes, withinMs = WITHIN_MS, mayKeep } = bounds;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => refuse(brokenBody()), withinMs);
    const refuse = (error: Error): void => {
      clearTimeout(timer);
      request.off('data', onData);
      // The remaining bytes are read and dropped while the answer is sent, and behind it (`LingeringClose`).
      response.setHeader('Connection', 'close');
      request.resume();
      reject(error);
    };
    const tooLarge = (): void => refuse(new PayloadTooLargeError(limitBytes));
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limitBytes) return tooLarge();
      if (mayKeep && !mayKeep(chunk.length)) return refuse(new TooManyBodiesError());
      chunks.push(chunk);
    };
    const cutOff = (): void => {
      clearTimeout(timer);
      reject(brokenBody());
    };
    // Every request closes in the end. For one that was read completely no error is created: its stack would cost an
    // eighth of the server's time for a get-lead (measured).
    const cutOffUnlessEnded = (): void => {
      clearTimeout(timer);
      if (!request.readableEnded) cutOff();
    };
    // The caller left during admission, so none of the events below will come.
    if (request.destroyed) return cutOff();
    if (Number(request.headers['content-length']) > limitBytes) return tooLarge();
    request.on('data', onData);
    request.once('end', () => {
      clearTimeout(timer);
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
    request.once('error', cutOffUnlessEnded);
    request.once('close', cutOffUnlessEnded);
    onBodyBroken(request, cutOffUnlessEnded);
    return undefined;
  });
}

const brokenBody = (): ValidationError =>
  new ValidationError([
    { path: '', message: 'the body was cut off, came too slowly, or is not as its headers announce' },
  ]);
