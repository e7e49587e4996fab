import { Readable } from 'node:stream';
import { ValidationError } from '@app/contracts/validation.error';
import type { Request, Response } from 'express';
import { takeUpload } from './upload.reader';

const RULES = { fileBytesMax: 1_000, tooLarge: () => new Error('too large'), fields: ['assistant_id'] };
const FILE = ['name="file"; filename="leads.csv"', 'phone'] as const;

/** The paths of what is refused of a form with these parts. */
async function refusedOf(...parts: (readonly [head: string, value: string | Buffer])[]): Promise<string[]> {
  const body = parts.flatMap(([head, value]) => [
    Buffer.from(`--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);
  const bytes = Buffer.concat([...body, Buffer.from('--b--\r\n')]);
  const request = Object.assign(Readable.from([bytes]), {
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  });
  const kept = takeUpload(
    request as unknown as Request,
    { setHeader: () => undefined } as unknown as Response,
    RULES,
    async (upload) => {
      for await (const _ of upload.bytes);
      return upload.fields;
    },
  );
  try {
    expect(await kept).toEqual({ assistant_id: 'я' });
    return [];
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return error.details.map(({ path }) => path);
  }
}

it.each([
  ['without a file', [['name="assistant_id"', 'я']], ['file']],
  ['with two files', [FILE, FILE], ['file']],
  ['with a text in place of the file', [['name="file"', 'phone']], ['file']],
  ['with NUL in a field', [FILE, ['name="assistant_id"', 'a\u0000']], ['assistant_id']],
  [
    'with a field that is no UTF-8',
    [FILE, ['name="assistant_id"', Buffer.from([0xff, 0x61])]],
    ['assistant_id'],
  ],
  ['that is whole', [['name="assistant_id"', 'я'], FILE], []],
] as const)('a form %s is told by the field', async (_, parts, paths) => {
  expect(await refusedOf(...parts)).toEqual(paths);
});
