import { defused, undefused } from './free-text';

it('every text comes back from a file as it was, and none begins like a formula there', () => {
  const signs = ['=1', '+1', '-1', '@a', '\tx', '\r=1', '＝1', '＋1', '－1', '＠a', '﹦1', '﹣1'];
  const unseen = ['\u200B=1', ' =1', '\u00A0+1', '\uFEFF@a', '\u202E\u0001-1', "\u200B'＝1", '\u2060\t＋1'];
  for (const sign of '\u3164\ufe0f\u2800\u115f\u1160\uffa0\u17b4\u034f\u180b\ufff9') unseen.push(`${sign}=1`);
  for (const text of [...signs, ...unseen]) expect([text, defused(text)]).toEqual([text, `'${text}`]);
  for (const text of [...signs, ...unseen, "'=1", "''=1", "'\u200B=1", "'a", "'", 'a=1', '', 'Аида', ' Аида'])
    expect(undefused(defused(text))).toBe(text);
  for (const text of ["'a", "'", 'a=1', '', 'Аида', ' Аида']) expect(defused(text)).toBe(text);
  expect(defused('=1')).toBe("'=1");
});
