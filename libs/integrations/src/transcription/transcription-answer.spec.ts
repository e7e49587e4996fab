import { TranscriptionFailedError } from '@app/domain/media/transcriber.port';
import { languageCode, readTranscript } from './transcription-answer';

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

const JSON_TYPE = 'application/json';
const heard = (answer: unknown, type = JSON_TYPE) => readTranscript(JSON.stringify(answer), type);

it.each([
  [
    { text: ' Two cups. ', language: 'english' },
    { text: 'Two cups.', language: 'en' },
  ],
  [{ text: 'Two cups.' }, { text: 'Two cups.', language: null }],
  ['Two cups.', { text: 'Two cups.', language: null }],
  [{ text: 'Thank you.' }, { text: 'Thank you.', language: null }],
  [
    { text: 'Untertitel für meinen Film, was kosten die?' },
    { text: 'Untertitel für meinen Film, was kosten die?', language: null },
  ],
  [{ text: 'No no no' }, { text: 'No no no', language: null }],
  [{ text: 'a\0b\ud800' }, { text: 'ab\ufffd', language: null }],
])('%j is heard as it is', (answer, expected) => {
  expect(heard(answer)).toEqual(expected);
});

it('a text is taken where one is all that comes', () => {
  expect(readTranscript('Two cups.\n', 'text/plain; charset=utf-8')).toEqual({
    text: 'Two cups.',
    language: null,
  });
});

it.each([
  ['an empty text', { text: '  ', language: 'english' }],
  ['dots', { text: '…' }],
  ['words of a film', { text: 'Thank you for watching!' }],
  ['subtitles', { text: 'Субтитры сделал DimaTorzok' }],
  ['the end of an episode', { text: 'Продолжение следует...' }],
  ['Amara', { text: 'Subtitles by the Amara.org community' }],
  ['Turkish ones', { text: 'Altyazı M.K.' }],
  ['Korean ones', { text: '시청해주셔서 감사합니다!' }],
  ['Indonesian ones', { text: 'Terima kasih telah menonton!' }],
  ['a word over and over', { text: 'you '.repeat(40) }],
  [
    'segments of silence',
    { text: 'Thank you.', segments: [{ text: 'Thank you.', no_speech_prob: 0.9, avg_logprob: -1.2 }] },
  ],
])('%s is silence', (_, answer) => {
  expect(heard(answer)).toEqual({ text: '', language: null });
});

it('silence between words goes, and what is said faintly stays', () => {
  const segments = [
    { text: ' Two cups.', no_speech_prob: 0.7, avg_logprob: -0.3 },
    { text: ' Bye.', no_speech_prob: 0.9, avg_logprob: -1.2 },
    { text: ' By Friday.', no_speech_prob: 0.1, avg_logprob: -1.3 },
  ];
  expect(heard({ text: 'Two cups. Bye. By Friday.', segments }).text).toBe('Two cups. By Friday.');
});

it.each([
  ['<html>busy</html>', 'text/html'],
  ['{"error":"x"}', JSON_TYPE],
  ['{"text":7}', JSON_TYPE],
  ['[]', JSON_TYPE],
  ['', JSON_TYPE],
])('%j cannot be understood', (body, type) => {
  expect(() => readTranscript(body, type)).toThrow(TranscriptionFailedError);
});
