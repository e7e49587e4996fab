import { deflateRawSync } from 'node:zlib';
import { formOf, partOf } from '../../support/clients/upload.client';
import { eventually } from '../../support/eventually';
import { IS_LONG } from '../../support/long.mode';
import { HTML, image, opus, SVG, vorbis } from '../../support/media.samples';
import { setMediaScene, type ShownMedia } from '../../support/scenes/media.scene';

const scene = setMediaScene();

const text = (words: string): Buffer => Buffer.from(words, 'latin1');
const SCRIPT = '<script>document.title="ran"</script>';

/** 100 MB of zeros in 100 KB, as the one entry of an archive. */
const zipBomb = (): Buffer => {
  const head = Buffer.alloc(30);
  head.write('PK\x03\x04', 0, 'latin1');
  head.writeUInt16LE(8, 8);
  head.writeUInt32LE(100_000_000, 22);
  return Buffer.concat([head, deflateRawSync(Buffer.alloc(100_000_000))]);
};

/** Bytes that browsers and others have taken for something that runs. */
const PAYLOADS: readonly (() => Promise<Buffer> | Buffer)[] = [
  () => HTML,
  () => SVG,
  () => text(`\xef\xbb\xbf  \n<!-- --><html>${SCRIPT}`),
  () => text(`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${SCRIPT}</html>`),
  () => text(`GIF89a/*${SCRIPT}*/=1;`),
  () => text(`\xff\xd8\xff\xe0${SCRIPT}`),
  () => text(`\x89PNG\r\n\x1a\n${SCRIPT}`),
  () => text(`%PDF-1.7\n${SCRIPT}`),
  () => text(`\0\0\0\x18ftypisom${SCRIPT}`),
  () => text(`RIFF\x20\0\0\0WEBP${SCRIPT}`),
  () => text(`ID3\x04${SCRIPT}`),
  () => text('+ADw-script+AD4-document.title=1+ADw-/script+AD4-'),
  () => text('document.title = "ran";'),
  async () => Buffer.concat([await image('jpeg'), text(SCRIPT)]),
  () => Buffer.concat([opus(1), text(SCRIPT)]),
  vorbis,
  () => Buffer.alloc(0),
  zipBomb,
];

const TYPES = [
  ...['image/jpeg', 'image/svg+xml', 'text/html', 'text/html; charset=utf-7', 'TEXT/HTML;charset="x'],
  ...['application/xhtml+xml', 'text/plain', 'application/javascript', 'image/png;text/html', 'x'],
];
const NAMES = [
  ...['../../etc/passwd', 'C:\\\\Windows\\\\a.html', 'a.jpg.html', '\u202egpj.exe', '𝒜𝓃 😀.svg', '..'],
  ...[`${'я'.repeat(300)}.html`, "a';alert(1)//.js", 'a\0.jpg\0.html', ' .htaccess '],
];

/** A type that browsers show as what it is, without running anything. */
const SHOWN = /^(?:image\/(?:jpeg|png|gif|webp)|(?:audio|video)\/[a-z0-9]+)$/;
const HARMLESS = /^(?:application\/(?:octet-stream|pdf|zip)|text\/plain; charset=utf-8)$/;

async function checkRead(media: ShownMedia, bytes: Buffer): Promise<void> {
  const answer = await scene.read(media.url, {}, scene.manyCallsKey);
  const of = (name: string): string => answer.headers.get(name) ?? '';
  expect(answer.status).toBe(200);
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  expect([of('x-content-type-options'), of('content-security-policy')]).toEqual([
    'nosniff',
    "default-src 'none'; frame-ancestors 'none'; sandbox",
  ]);
  const isShown = SHOWN.test(of('content-type'));
  expect(of('content-type')).toMatch(isShown ? SHOWN : HARMLESS);
  expect(of('content-disposition')).toMatch(isShown ? /^inline; / : /^attachment; /);
  expect(of('content-disposition')).not.toMatch(/filename="?[^;]*[/\\](?!")/);
  expect(media.file_name ?? '').not.toMatch(/[/\\\p{Cc}\p{Cf}]/u);
}

interface Hostile {
  bytes: Buffer;
  type: string;
  name: string;
  /** Whether it is sent as an image, or as a document. */
  kind: 'image' | 'document';
}

/** Each payload under every type, or under two of them, so that each type and each name occurs. */
async function hostileFiles(): Promise<Hostile[]> {
  const files: Hostile[] = [];
  for (const [n, make] of PAYLOADS.entries()) {
    const bytes = await make();
    for (const [m, type] of TYPES.entries()) {
      if (!IS_LONG && m !== n % TYPES.length && m !== (n + 3) % TYPES.length) continue;
      const name = NAMES[(n + m) % NAMES.length] ?? '';
      files.push({ bytes, type, name, kind: m % 2 === 0 ? 'image' : 'document' });
    }
  }
  return files;
}

let files: Hostile[];
beforeAll(async () => {
  files = await hostileFiles();
  expect([files.length, new Set(files.map(({ name }) => name)).size]).toEqual([
    PAYLOADS.length * (IS_LONG ? TYPES.length : 2),
    NAMES.length,
  ]);
});

it('hostile files of customers that come at once are kept as what their bytes are, and none is served as anything that runs', async () => {
  const sent = files.map(({ bytes, type, name, kind }) => ({
    bytes,
    ...scene.fileOf({ type: kind, mimeType: type, bytes, fileName: name }),
  }));
  await scene.tell(...sent.map(({ change }) => change));
  const areStored = async (): Promise<boolean> => {
    const { rows } = await scene.database.pool.query(`SELECT 1 FROM media WHERE state <> 'stored' LIMIT 1`);
    return rows.length === 0;
  };
  await eventually(areStored, 60_000, 'not all files came');
  for (const { message, bytes } of sent) {
    const id = await scene.messageOf(message);
    const { data } = (await scene.apiAt(0, scene.manyCallsKey).getMessage(id)).body;
    await checkRead(data.media as ShownMedia, bytes);
  }
});

it('hostile uploads at once are refused, or kept as what their bytes are and served as nothing that runs', async () => {
  const kept = await Promise.all(
    files.map(async ({ bytes, type, name }) => {
      const { status, body } = await scene.uploads().post(formOf(partOf({ bytes, type, name })));
      // Without bytes, or with a name that ends its part.
      if (status === 200) await checkRead(body.data.media as ShownMedia, bytes);
      else expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
      return status === 200;
    }),
  );
  expect(kept.filter(Boolean).length).toBeGreaterThan(files.length * 0.8);
});

it('a type with parameters in the database is never served as a page', async () => {
  const media = await scene.uploaded({ bytes: HTML, name: 'a.html' });
  for (const type of [
    'text/html',
    'text/html; charset=utf-7',
    'TEXT/HTML',
    'image/svg+xml',
    'image/jpeg\ntext/html',
  ]) {
    await scene.database.pool.query('UPDATE media SET mime_type = $2 WHERE id = $1', [media.id, type]);
    const answer = await scene.read(media.url, {}, scene.manyCallsKey);
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; /);
  }
});
