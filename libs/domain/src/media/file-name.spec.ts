import { fileNameOf } from './file-name';

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
