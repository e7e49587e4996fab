import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { ProviderClient, type ProviderRequest } from './provider.client';

/** An endpoint that counts connections and bytes, and answers each request with 200. */
async function countingEndpoint() {
  const seen = { bytes: 0 };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      seen.bytes += bytes.length;
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = new ProviderClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 2_000);
  return {
    seen,
    client,
    close: async () => {
      await client.close();
      server.close();
    },
  };
}

const request = (permit: ProviderRequest['permit']): ProviderRequest => ({
  method: 'POST',
  number: '1',
  path: '/messages',
  headers: {},
  body: 'x'.repeat(1_000),
  permit,
});

describe('a request whose permission', () => {
  let endpoint: Awaited<ReturnType<typeof countingEndpoint>>;

  beforeEach(async () => {
    endpoint = await countingEndpoint();
  });

  afterEach(() => endpoint.close());

  it.each([false, true])(
    'is void is withheld, and no byte of it leaves (connection open: %s)',
    async (open) => {
      if (open) await endpoint.client.call(request(undefined));
      const before = endpoint.seen.bytes;
      const used = jest.fn();
      const answer = await endpoint.client.call(request({ isValid: () => false, used }));
      expect(answer).toEqual({ kind: 'withheld' });
      // A later request is answered completely: what had been written before it would have arrived by then.
      await endpoint.client.call(request(undefined));
      const one = endpoint.seen.bytes - before;
      await endpoint.client.call(request(undefined));
      expect(endpoint.seen.bytes - before).toBe(2 * one);
      expect(used).not.toHaveBeenCalled();
    },
  );

  it('becomes void while its connection is made is withheld, and no byte of it leaves', async () => {
    let isValid = true;
    const answer = endpoint.client.call(request({ isValid: () => isValid, used: () => undefined }));
    isValid = false;
    expect(await answer).toEqual({ kind: 'withheld' });
    expect(endpoint.seen.bytes).toBe(0);
  });

  it('is valid is written, and is checked as soon as it can be written and reported once before the answer', async () => {
    const order: string[] = [];
    const permit = {
      isValid: () => order.push('looked at') > 0,
      used: () => void order.push('used'),
    };
    const answer = await endpoint.client.call(request(permit));
    order.push('answered');
    expect(answer.kind).toBe('answered');
    expect(order).toEqual(['looked at', 'used', 'answered']);
  });
});
