import { EventEmitter, once } from 'node:events';
import type { write } from 'node:fs';
import { LogOutput, LineBuffer } from './log-output';

type Written = (error: NodeJS.ErrnoException | null, bytes: number) => void;

/** An output whose every write waits to be answered by the test. */
function outputByHand() {
  const asked: { text: string; answer: Written }[] = [];
  const lastWords: string[] = [];
  const ask = (...[, bytes, , , , answer]: [number, Buffer, number, number, null, Written]): void =>
    void asked.push({ text: bytes.toString(), answer });
  const output = new LogOutput(1, {
    write: ask as unknown as typeof write,
    writeSync: (_: number, bytes: unknown) => {
      lastWords.push(String(bytes));
      return (bytes as Buffer).length;
    },
  });
  const taken = (): string[] => asked.map(({ text }) => text);
  return { output, asked, taken, lastWords };
}

const full = (): NodeJS.ErrnoException => Object.assign(new Error('no space left'), { code: 'ENOSPC' });

const toldOf = (text = ''): unknown => JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');

function bufferOf() {
  const written: string[] = [];
  const told = new EventEmitter();
  const buffer = new LineBuffer({
    write: (text) => {
      written.push(text);
      told.emit('written');
    },
  });
  return { buffer, written, told };
}

describe('LogOutput', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('writes on behind what was taken', () => {
    const { output, asked, taken } = outputByHand();
    output.write('one\n');
    output.write('two\n');
    asked[0]?.answer(null, 2);
    asked[1]?.answer(null, 6);
    expect(taken()).toEqual(['one\n', 'e\ntwo\n']);
  });

  it('keeps what an output does not take, tries again, and is not hurried by further lines', () => {
    const { output, asked, taken } = outputByHand();
    output.write('one\n');
    asked[0]?.answer(full(), 0);
    output.write('two\n');
    expect(asked).toHaveLength(1);
    jest.advanceTimersByTime(100);
    asked[1]?.answer(null, 8);
    expect(taken()).toEqual(['one\n', 'one\ntwo\n']);
  });

  it('loses what is beyond a mebibyte, and says how many lines once the output works again', () => {
    const { output, asked, taken } = outputByHand();
    const line = `${'x'.repeat(1_023)}\n`;
    for (let lines = 0; lines < 1_024; lines++) output.write(line);
    output.write(line);
    output.write(line + line);
    asked[0]?.answer(null, 1_024);
    expect(taken()[1]).toHaveLength(1_023 * 1_024 + JSON.stringify(toldOf(taken()[1])).length + 1);
    expect(toldOf(taken()[1])).toMatchObject({ level: 'warn', msg: expect.stringMatching(/^3 log lines/) });
  });

  it('writes what waits before the process ends, and what is said after that', () => {
    const { output, lastWords } = outputByHand();
    output.write('in flight\n');
    output.write('waits\n');
    const [end] = process.rawListeners('exit').slice(-1);
    end?.call(process, 0);
    output.write('last\n');
    expect(lastWords).toEqual(['waits\n', 'last\n']);
  });
});

describe('LineBuffer', () => {
  it('writes lines that come together at once, in their order', async () => {
    const { buffer, written, told } = bufferOf();
    for (const line of ['one\n', 'two\n', 'three\n']) buffer.write(line);
    expect(written).toEqual([]);
    await once(told, 'written');
    buffer.write('four\n');
    await once(told, 'written');
    expect(written).toEqual(['one\ntwo\nthree\n', 'four\n']);
  });

  it('keeps no more than 16 KiB', () => {
    const { buffer, written } = bufferOf();
    const line = `${'x'.repeat(1_000)}\n`;
    for (let lines = 0; lines < 40; lines++) buffer.write(line);
    expect(written.length).toBe(2);
  });

  it('writes what waits before the process ends', () => {
    const { buffer, written } = bufferOf();
    buffer.write('last\n');
    const [flush] = process.rawListeners('exit').slice(-1);
    flush?.call(process, 0);
    expect(written).toEqual(['last\n']);
  });
});
