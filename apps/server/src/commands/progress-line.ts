const EVERY_MS = 200;
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** As people read it: 1.5 MiB. */
export function sizeOf(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1024 && unit < UNITS.length - 1) [size, unit] = [size / 1024, unit + 1];
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit] ?? ''}`;
}

/** A line on a terminal that says how far a command is. Elsewhere, as in a log, nothing. */
export class ProgressLine {
  private shownAt = -Infinity;

  show(text: string): void {
    const isDue = performance.now() - this.shownAt > EVERY_MS;
    if (!process.stderr.isTTY || !isDue) return;
    this.shownAt = performance.now();
    process.stderr.write(`\r\x1b[K${text}`);
  }

  clear(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }
}
