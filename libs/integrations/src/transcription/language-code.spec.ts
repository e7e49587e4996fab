import { languageCode } from './language-code';

it.each([
  ['english', 'en'],
  ['Russian', 'ru'],
  ['kazakh', 'kk'],
  ['en', 'en'],
  ['en-US', 'en'],
  ['pt_BR', 'pt'],
  ['eng', 'en'],
  ['iw', 'he'],
  ['jw', 'jv'],
  ['tl', 'tl'],
  ['tagalog', 'tl'],
  ['burmese', 'my'],
  ['myanmar', 'my'],
  ['bengali', 'bn'],
  ['haitian creole', 'ht'],
  ['castilian', 'es'],
  ['cantonese', 'zh'],
  ['yue', 'zh'],
  ['nynorsk', 'nn'],
  ['norwegian', 'no'],
])('%s is %s', (told, code) => {
  expect(languageCode(told)).toBe(code);
});

it.each(['', 'unknown', 'zz', 'xyz', 'hawaiian', null, undefined, 7, {}])('%j is no language', (told) => {
  expect(languageCode(told)).toBeNull();
});
