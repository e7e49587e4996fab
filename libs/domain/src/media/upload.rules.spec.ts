import type { MediaKind } from '@app/contracts/media.words';
import type { FileFacts } from './media-inspector.port';
import { claimedType, requireSize, sentKindOf, fileNameOf } from './upload.rules';

const KIB = 1024;
const MIB = 1024 * KIB;

it.each<[MediaKind, boolean, number]>([
  ['image', false, 5 * MIB],
  ['video', false, 16 * MIB],
  ['audio', false, 16 * MIB],
  ['voice', false, 16 * MIB],
  ['sticker', false, 100 * KIB],
  ['sticker', true, 500 * KIB],
  ['document', false, 100 * MIB],
])('%s (animated: %s) may have %i bytes, and not one more', (kind, isAnimated, limit) => {
  expect(() => requireSize(kind, limit, isAnimated)).not.toThrow();
  expect(() => requireSize(kind, limit + 1, isAnimated)).toThrow(`of the kind ${kind}`);
  expect(() => requireSize(kind, limit + 1, isAnimated)).toThrow(`${limit} bytes at most`);
});

it('a file without bytes is refused', () => {
  expect(() => requireSize('document', 0, false)).toThrow('must not be empty');
});

const FACTS: FileFacts = {
  ...{ kind: 'sticker', mimeType: 'image/webp', width: 1, height: 1, seconds: null },
  ...{ isAnimated: false, isOpus: false },
};

it.each<[string, Partial<FileFacts>, MediaKind]>([
  ['JPEG', { kind: 'image', mimeType: 'image/jpeg' }, 'image'],
  ['PNG', { kind: 'image', mimeType: 'image/png' }, 'image'],
  ['WebP', {}, 'sticker'],
  ['GIF', { kind: 'image', mimeType: 'image/gif' }, 'document'],
  ['MP4', { kind: 'video', mimeType: 'video/mp4' }, 'video'],
  ['3GP', { kind: 'video', mimeType: 'video/3gpp' }, 'video'],
  ['M4A', { kind: 'audio', mimeType: 'audio/mp4' }, 'audio'],
  ['MP3', { kind: 'audio', mimeType: 'audio/mpeg' }, 'audio'],
  ['AMR', { kind: 'audio', mimeType: 'audio/amr' }, 'audio'],
  ['AAC', { kind: 'audio', mimeType: 'audio/aac' }, 'audio'],
  ['Ogg with Opus', { kind: 'audio', mimeType: 'audio/ogg', isOpus: true }, 'voice'],
  ['Ogg with another codec', { kind: 'audio', mimeType: 'audio/ogg' }, 'document'],
  ['a picture that is no picture', { kind: 'document', mimeType: 'image/jpeg' }, 'document'],
  ['PDF', { kind: 'document', mimeType: 'application/pdf' }, 'document'],
])('%s is sent as what WhatsApp shows it as', (_, facts, kind) => {
  expect(sentKindOf({ ...FACTS, ...facts })).toBe(kind);
});

it('of an upload the ending of its name tells the type of a document, and its type only that it is audio', () => {
  const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  expect(claimedType('application/octet-stream', 'a.b.DOCX')).toEqual({ kind: 'sticker', mimeType: docx });
  expect(claimedType('text/plain', 'a.csv')).toEqual({ kind: 'sticker', mimeType: 'text/csv' });
  expect(claimedType('AUDIO/mp4', 'a.m4a')).toEqual({ kind: 'audio', mimeType: 'AUDIO/mp4' });
  expect(claimedType(null, null)).toEqual({ kind: 'sticker', mimeType: null });
  for (const name of ['a.constructor', 'a.__proto__', 'a.html'])
    expect(claimedType('video/mp4', name)).toEqual({ kind: 'sticker', mimeType: 'video/mp4' });
});

describe('The name of a file', () => {
  it.each([
    ['of Persian letters that a non-joiner parts', 'می\u200Cخواهم.pdf'],
    ['of Hindi letters that a joiner joins', 'क्\u200Dष.pdf'],
    ['with a family of emoji', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}.jpg'],
  ])('%s stays as it is', (_, name) => {
    expect(fileNameOf(name)).toBe(name);
  });

  it.each([
    ['a turned direction', 'invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['an isolated direction', '\u2067a\u2069.pdf', 'a.pdf'],
    ['a space without width and a soft hyphen', 'a\u200Bb\u00ADc.pdf', 'abc.pdf'],
    ['a NUL and a line break', 'a\0b\n.pdf', 'ab.pdf'],
    ['folders of both kinds', '../a\\b/c.pdf', 'c.pdf'],
    ['the folders of Windows', 'C:\\\\Windows\\win.ini', 'win.ini'],
    ['halves of signs', '𝒜\ud800\0😀.pdf', '𝒜😀.pdf'],
  ])('loses %s', (_, given, name) => {
    expect(fileNameOf(given)).toBe(name);
  });

  it.each(['', '..', '\u200D', '.\u200C.', 'folder/', null, undefined])('is none: %j', (given) => {
    expect(fileNameOf(given)).toBeNull();
  });

  it('has 200 characters at most and keeps its ending', () => {
    expect(fileNameOf(`${'\u{1F600}'.repeat(300)}.pdf`)).toBe(`${'\u{1F600}'.repeat(196)}.pdf`);
  });
});
