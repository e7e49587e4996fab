import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** More than this is not kept for an output that takes nothing. In bytes: some 4,000 lines. */
const WAITING_MAX = 1 << 20;
/** Until an output that took nothing is tried again: a pipe that is full, a disk without space, a reader that is gone. */
const RETRY_MS = 100;
/** So long does the end of the process wait for an output that is full. */
const LAST_WORDS_MS = 500;

/** The system calls, which a test replaces. */
const SYSTEM_CALLS = { write, writeSync };

/**
 * Writes log lines to a file descriptor. An output that fails or is not read ends and delays nothing: lines wait up to
 * a bound, what is beyond it is lost and counted, and a line says how many once the output works again. Pino's own
 * destination lets the process end at a full disk, and stops the event loop for a pipe that is not read.
 */
export class LogOutput implements DestinationStream {
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private lost = 0;
  private writing = false;
  /** The end of the process waits until then; before it, no time. */
  private lastUntil: number | null = null;

  constructor(
    private readonly fd: number,
    private readonly calls: Pick<typeof SYSTEM_CALLS, 'write' | 'writeSync'> = SYSTEM_CALLS,
  ) {
    process.once('exit', () => {
      this.lastUntil = performance.now() + LAST_WORDS_MS;
      this.writeLast();
    });
  }

  /** @param lines whole lines */
  write(lines: string): void {
    const bytes = Buffer.from(lines);
    if (this.waitingBytes + bytes.length > WAITING_MAX) {
      this.lost += lines.split('\n').length - 1;
      return;
    }
    this.add(bytes);
    if (this.lastUntil !== null) this.writeLast();
    else if (!this.writing) this.writeNext();
  }

  private add(bytes: Buffer): void {
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
  }

  private writeNext(): void {
    const bytes = Buffer.concat(this.waiting.splice(0));
    this.writing = bytes.length > 0;
    if (!this.writing) return;
    this.calls.write(this.fd, bytes, 0, bytes.length, null, (error, written) => {
      this.waiting.unshift(bytes.subarray(error ? 0 : written));
      if (!error) this.waitingBytes -= written;
      if (error || written === 0) setTimeout(() => this.writeNext(), RETRY_MS).unref();
      else {
        this.tellOfLost();
        this.writeNext();
      }
    });
  }

  private tellOfLost(): void {
    if (this.lost === 0) return;
    const msg = `${this.lost} log lines were lost: the output did not take them.`;
    this.lost = 0;
    this.add(Buffer.from(`${JSON.stringify({ level: 'warn', time: new Date().toISOString(), msg })}\n`));
  }

  /** What another thread is writing is not written again. */
  private writeLast(): void {
    let bytes = Buffer.concat(this.waiting.splice(0));
    while (bytes.length > 0) {
      try {
        bytes = bytes.subarray(this.calls.writeSync(this.fd, bytes));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
        if (performance.now() > (this.lastUntil ?? 0)) return;
      }
    }
  }
}

let output: LogOutput | undefined;

/** Of this process. A pipe is not blocking once Node has opened it as `process.stdout`. */
export const standardOutput = (): LogOutput => (output ??= new LogOutput(process.stdout.fd));

const WAIT_MS = 10;
const WAITING_LENGTH_MAX = 16_384;

/**
 * Writes the lines of 10 ms at once. A write for each line costs a tenth of the server's time for a move (measured).
 * A killed process may lose the last lines; one that stops by itself writes them first.
 */
export class LineBuffer implements DestinationStream {
  private text = '';
  private timer: NodeJS.Timeout | null = null;

  /** @param to takes whole lines, several at once */
  constructor(private readonly to: DestinationStream = standardOutput()) {
    process.once('exit', () => this.flush());
  }

  write(line: string): void {
    this.text += line;
    if (this.text.length > WAITING_LENGTH_MAX) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), WAIT_MS);
  }

  private flush(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const { text } = this;
    this.text = '';
    if (text !== '') this.to.write(text);
  }
}
