import type { ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { FILE_BYTES_MAX } from '@app/domain/media/media-download.port';
import { FileTooLargeError } from '@app/domain/media/media-store.port';
import type { ChannelConnection } from '@app/domain/messages/dispatch/message-sender.port';
import { FileProvider } from '../../../../test/support/stand-ins/file.provider';
import { ProviderClient } from '../http/provider-client';
import { FileAddresses } from './file-addresses';
import { CloudMediaDownload } from './provider-media-downloads';

const CONNECTION: ChannelConnection = {
  ...{ accountId: 'a', botId: 'b', channel: 'waba_coexistence', sender: '100000000000001' },
  ...{ settings: {}, credential: 'EAABsecretTokenOfOurs' },
};
const BYTES = Buffer.from('a file of a customer');

let graph: FileProvider;
let elsewhere: FileProvider;
let client: ProviderClient;

beforeAll(async () => {
  [graph, elsewhere] = [await FileProvider.start(), await FileProvider.start()];
  elsewhere.files.set('1', { bytes: BYTES });
  graph.files.set('1', { bytes: BYTES, url: `${elsewhere.url}/bytes/1` });
  graph.files.set('2', { bytes: BYTES });
  client = new ProviderClient(graph.url, 1_000);
});
afterAll(() => Promise.all([client.close(), graph.stop(), elsewhere.stop()]));

const fetched = async (id: string, mayReachThisMachine: boolean): Promise<Buffer> => {
  const addresses = new FileAddresses(graph.url, mayReachThisMachine);
  const download = new CloudMediaDownload(client, 'v26.0', addresses);
  const { bytes } = await download.open(CONNECTION, id, AbortSignal.timeout(5_000));
  return buffer(bytes);
};

it('a file is fetched from Graph with the token', async () => {
  expect(await fetched('2', false)).toEqual(BYTES);
  expect(graph.asked('2').map(({ authorization }) => authorization)).toEqual(
    Array(2).fill(`Bearer ${CONNECTION.credential}`),
  );
});

it('a file at another address that may be called is fetched from there, without the token', async () => {
  expect(await fetched('1', true)).toEqual(BYTES);
  expect(elsewhere.asked('1')).toEqual([{ path: '/bytes/1', authorization: undefined }]);
});

it('a file at an address that may not be called is not fetched', async () => {
  const before = elsewhere.ledger.length;
  await expect(fetched('1', false)).rejects.toThrow('its address is not one that is called');
  expect(elsewhere.ledger).toHaveLength(before);
});

it('a file may have 100 MiB, and not a byte more, by its description and by its head', async () => {
  const announced = (size: number | null, length: number) => ({
    ...{ bytes: BYTES, size },
    behave: (response: ServerResponse) =>
      void response.writeHead(200, { 'content-length': length }).write('x'),
  });
  graph.files.set('largest', announced(FILE_BYTES_MAX, FILE_BYTES_MAX));
  graph.files.set('described-as-larger', announced(FILE_BYTES_MAX + 1, 1));
  graph.files.set('larger', announced(null, FILE_BYTES_MAX + 1));
  const download = new CloudMediaDownload(client, 'v26.0', new FileAddresses(graph.url, false));
  const over = new AbortController();
  const sizeOf = async (id: string) => (await download.open(CONNECTION, id, over.signal)).size;
  try {
    expect([FILE_BYTES_MAX, await sizeOf('largest')]).toEqual([100 * 1024 * 1024, FILE_BYTES_MAX]);
    for (const id of ['described-as-larger', 'larger'])
      await expect(sizeOf(id)).rejects.toThrow(FileTooLargeError);
  } finally {
    over.abort();
  }
});
