import { EventEmitter, once } from 'node:events';
import { LineBuffer } from './line-buffer';

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
