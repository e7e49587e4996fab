import { Logger } from '@nestjs/common';
import { MediaFetching } from './media-fetching.service';
import { FileTooLargeError } from './media-store.port';

const LIMIT = 100 * 1024 * 1024;

beforeEach(() => void jest.spyOn(Logger.prototype, 'warn').mockImplementation());

/** What becomes of a customer's file of so many bytes, of which its provider says no length. */
async function endOf(size: number): Promise<string[]> {
  const ends: string[] = [];
  const claimed = {
    ...{ kind: 'document', mime_type: null, file_name: null, bot_id: 'bot', channel: 'waba' },
    ...{ provider_ref: 'file', attempts: 0, is_last_try: false },
  };
  const media = {
    claim: async () => claimed,
    renew: async () => true,
    stored: async () => ends.push('stored') > 0,
    failed: async (_: object, reason: string) => ends.push(reason) > 0,
  };
  const channels = { findForWork: async () => ({ connection: {} }) };
  const downloads = { open: async () => ({ bytes: [], mimeType: null, size: null, sha256: null }) };
  const store = {
    spool: async (_: unknown, sizeMax: number) => {
      if (size > sizeMax) throw new FileTooLargeError(sizeMax);
      return { path: '', size, sha256: '', discard: async () => undefined };
    },
  };
  const inspector = { inspect: async () => ({ kind: 'document', mimeType: 'application/pdf' }) };
  const [files, notifier] = [{ keep: async () => undefined }, { notify: () => undefined }];
  const ports = [media, channels, downloads, store, inspector, files, notifier, notifier] as unknown;
  const fetching = new MediaFetching(...(ports as ConstructorParameters<typeof MediaFetching>));
  await fetching.fetch('account', 'media', new AbortController().signal);
  return ends;
}

it.each([
  ['100 MiB is stored', LIMIT, 'stored'],
  ['a byte more is not, for good', LIMIT + 1, `the file has more than ${LIMIT} bytes`],
])('a customer’s file of %s', async (_, size, end) => {
  expect(await endOf(size)).toEqual([end]);
});
