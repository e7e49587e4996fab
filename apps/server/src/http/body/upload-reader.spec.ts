import { Readable } from 'node:stream';
import { ValidationError } from '@app/contracts/coded.errors';
import type { Request, Response } from 'express';
import { takeUpload } from './upload-reader';

const RULES = { fileBytesMax: 1_000, tooLarge: () => new Error('too large'), fields: ['assistant_id'] };
const FILE = ['name="file"; filename="leads.csv"', 'phone'] as const;

type Part = readonly [head: string, value: string | Buffer];

interface Given {
  headers?: Record<string, string>;
  /** So many bytes of the end do not come. */
  cut?: number;
}

/** Takes a form with these parts: the name of its file, how long it is, and its fields. */
function take(parts: readonly Part[], { headers = {}, cut = 0 }: Given = {}) {
  const body = parts.flatMap(([head, value]) => [
    Buffer.from(`--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);
  const bytes = Buffer.concat([...body, Buffer.from('--b--\r\n')]);
  const request = Object.assign(Readable.from([bytes.subarray(0, bytes.length - cut)]), {
    headers: { 'content-type': 'multipart/form-data; boundary=b', ...headers },
  });
  return takeUpload(
    request as unknown as Request,
    { setHeader: () => undefined } as unknown as Response,
    RULES,
    async ({ bytes: file, name, fields }) => {
      let length = 0;
      for await (const chunk of file) length += chunk.length;
      return { name, length, fields };
    },
  );
}

/** The paths of what is refused of a form. */
async function refusedOf(parts: readonly Part[], given?: Given): Promise<string[]> {
  try {
    await take(parts, given);
    return [];
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return error.details.map(({ path }) => path);
  }
}

const typed = (type: string): Given => ({ headers: { 'content-type': type } });

it.each<[string, readonly Part[], string[]]>([
  ['without a file', [['name="assistant_id"', 'я']], ['file']],
  ['without parts', [], ['file']],
  ['with two files', [FILE, FILE], ['file']],
  ['with a text in place of the file', [['name="file"', 'phone']], ['file']],
  ['with a text of its field beside the file', [FILE, ['name="file"', 'phone']], ['file']],
  ['with a file under another name', [['name="upload"; filename="leads.csv"', 'phone']], ['file']],
  ['with NUL in a field', [FILE, ['name="assistant_id"', 'a\u0000']], ['assistant_id']],
  [
    'with a field that is no UTF-8',
    [FILE, ['name="assistant_id"', Buffer.from([0xff, 0x61])]],
    ['assistant_id'],
  ],
  ['with fields without end', [FILE, ...Array<Part>(200).fill(['name="kind"', 'image'])], ['']],
])('a form %s is told by the field', async (_, parts, paths) => {
  expect(await refusedOf(parts)).toEqual(paths);
});

it.each<[string, Given]>([
  ['as JSON', typed('application/json')],
  ['without a boundary', typed('multipart/form-data')],
  ['with another boundary', typed('multipart/form-data; boundary=x')],
  ['without its end', { cut: 20 }],
  ['compressed', { headers: { 'content-encoding': 'gzip' } }],
])('a body %s is refused as a whole', async (_, given) => {
  expect(await refusedOf([FILE], given)).toEqual(['']);
});

it('a form that is whole has its file and the fields that were asked for', async () => {
  const form = { name: 'leads.csv', length: 5, fields: { assistant_id: 'я' } };
  expect(await take([['name="assistant_id"', 'я'], FILE])).toEqual(form);
});

it.each<[string, readonly Part[]]>([
  ['fields behind the file', [FILE, ['name="kind"', 'image'], ['name="note"', 'я'.repeat(20_000)]]],
  ['fields before it', [['name="kind"', 'image'], FILE]],
  ['files under other names', [['name="a"; filename="a.mp3"', 'a'], FILE, ['name="b"; filename="b"', 'b']]],
])('of unknown %s nothing is taken', async (_, parts) => {
  expect(await take(parts)).toEqual({ name: 'leads.csv', length: 5, fields: {} });
});

it.each<[string, readonly Part[], Given]>([
  [
    'that announces more than a file and its form may have',
    [FILE],
    { headers: { 'content-length': '1049577' } },
  ],
  ['with more of other files', [FILE, ['name="other"; filename="x"', Buffer.alloc(1_100_000)]], {}],
])('a body %s is too large', async (_, parts, given) => {
  await expect(take(parts, given)).rejects.toThrow('too large');
});

// As browsers write a"b, a line break, and a per cent sign.
it.each([
  ['a%22b%22.txt', 'a"b".txt'],
  ['two%0D%0Alines.txt', 'two\r\nlines.txt'],
  ['100% a%2Fb%20c.txt', '100% a%2Fb%20c.txt'],
  ['../../etc/passwd', '../../etc/passwd'],
  ['Счёт 😀.pdf', 'Счёт 😀.pdf'],
])('the name %s is read as it was written', async (written, name) => {
  expect(await take([[`name="file"; filename="${written}"`, 'x']])).toMatchObject({ name });
});
