/** @jest-environment ./apps/monitor/testing/page.environment.js */
import { fileSize } from './number.format';

it.each([
  [64 * 1024 * 1024, '64 MB'],
  [1.25 * 1024 * 1024, '1.3 MB'],
  [1024 * 1024 - 1, '1,024 kB'],
  [1536, '1.5 kB'],
  [0, '0 kB'],
])('%d bytes are %s, as messengers and operating systems count', (bytes, size) => {
  expect(fileSize(bytes)).toBe(size);
});
