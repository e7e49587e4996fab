import { modelInWords } from './demo-file';

const SANDBOX = 'http://127.0.0.1:3100/v1';

it.each([
  ['scripted', SANDBOX, "scripted, the sandbox's own"],
  ['llama', 'http://127.0.0.1:11434/v1', 'llama, at http://127.0.0.1:11434/v1'],
  ['large', 'https://user:word@models.example.com/v1?key=k1#k2', 'large, at https://models.example.com/v1'],
])('the banner says which model answers, and no secret: %s, %s', (name, baseUrl, words) => {
  expect(modelInWords(name, baseUrl, SANDBOX)).toBe(words);
});
