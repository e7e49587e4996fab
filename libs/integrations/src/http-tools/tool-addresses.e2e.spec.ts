import type { HttpToolAnswer } from '@app/domain/assistants/http-tool.port';
import { HOSTILE_URLS } from '../../../../test/support/stand-ins/hostile.addresses';
import { StandInProvider } from '../../../../test/support/stand-ins/provider.stand-in';
import { GuardedToolCaller } from './guarded-tool.caller';

let standIn: StandInProvider;

/** The caller as the demo configures it. */
const here = new GuardedToolCaller({ mayReachThisMachine: true });
/** The caller as in production. */
const strict = new GuardedToolCaller({ mayReachThisMachine: false });

const call = (
  { url, timeoutMs = 5_000 }: { url: string; timeoutMs?: number },
  { caller = here } = {},
): Promise<HttpToolAnswer> =>
  caller.call({ method: 'POST', url, headers: {}, arguments: {}, timeoutMs }, new AbortController().signal);

const failed = (reason: string) => ({ kind: 'failed', reason: expect.stringContaining(reason) as string });
const refused = (reason: string) => ({ ...failed(reason), refused: true });

beforeAll(async () => {
  standIn = await StandInProvider.open();
});

beforeEach(() => standIn.reset());

afterAll(() => standIn.close());

describe('an address', () => {
  it.each([
    'https://shop.example.com/stock?a=1',
    'https://shop.example.com:8443/',
    'https://93.184.215.14/',
    'https://[2606:4700:4700::1111]/',
  ])('%s may be called', (url) => {
    expect(strict.violationOfUrl(url)).toBeNull();
  });

  it.each(HOSTILE_URLS)('%s is refused by itself, and not called', async (url) => {
    expect(strict.violationOfUrl(url)).toEqual(expect.stringContaining('must '));
    expect(await call({ url }, { caller: strict })).toEqual(refused('its address is not one that is called'));
    expect(await strict.connect(url, 5_000)).toEqual(refused('its address is not one that is called'));
  });

  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['10.1.2.3']],
    [['169.254.169.254']],
    [['100.64.0.1']],
    [['224.0.0.1']],
    [['198.51.100.7']],
    [['::ffff:10.0.0.1']],
    [['64:ff9b::a00:1']],
    [['2002:a00:1::']],
    [['fd00::1']],
    [['fe80::1%eth0']],
    [['8.8.8.8', '10.0.0.1']],
  ])('whose name leads to %j is not connected to', async (addresses) => {
    const caller = new GuardedToolCaller({ mayReachThisMachine: false, resolve: async () => addresses });
    const { port } = new URL(standIn.url);
    const answer = await call({ url: `https://inner.example.com:${port}/` }, { caller });
    expect(answer).toEqual(refused('its name leads to an address that is not called'));
    expect(await caller.connect(`https://inner.example.com:${port}/`, 5_000)).toEqual(answer);
    expect(standIn.connections).toBe(0);
  });

  it('of this machine is called where that is allowed, and nothing else inside is', async () => {
    const { port } = new URL(standIn.url);
    expect(await call({ url: `http://localhost:${port}/` })).toMatchObject({ kind: 'answered' });
    expect(here.violationOfUrl('http://10.0.0.1/')).not.toBeNull();
    expect(here.violationOfUrl('https://169.254.169.254/')).not.toBeNull();
  });

  it('is resolved once, and the connection goes to the address that was checked', async () => {
    let asked = 0;
    // First an allowed address, then an internal one: DNS rebinding.
    const resolve = async () => ((asked += 1) === 1 ? ['127.0.0.1'] : ['10.0.0.1']);
    const caller = new GuardedToolCaller({ mayReachThisMachine: true, resolve });
    const url = `http://rebound.test:${new URL(standIn.url).port}/`;
    expect(await call({ url, timeoutMs: 1_000 }, { caller })).toMatchObject({ kind: 'answered' });
    expect([asked, standIn.ledger.length]).toEqual([1, 1]);
    expect(standIn.ledger[0]?.headers.host).toBe(`rebound.test:${new URL(url).port}`);
    expect(await call({ url, timeoutMs: 1_000 }, { caller })).toEqual(
      refused('its name leads to an address that is not called'),
    );
    expect(standIn.ledger).toHaveLength(1);
  });

  it('whose name is unknown, or cannot be resolved, is reported without the name', async () => {
    const url = 'http://nowhere.test/';
    const none = new GuardedToolCaller({ mayReachThisMachine: true, resolve: async () => [] });
    expect(await call({ url }, { caller: none })).toEqual(failed('its name is not known'));
    const away = new GuardedToolCaller({
      mayReachThisMachine: true,
      resolve: () => Promise.reject(new Error('nowhere.test')),
    });
    expect(await call({ url }, { caller: away })).toEqual({
      kind: 'failed',
      reason: 'the connection broke: Error',
    });
  });

  it('on which nothing listens is reported by its code alone', async () => {
    const answer = await call({ url: 'http://127.0.0.1:1/' });
    expect(answer).toEqual({ kind: 'failed', reason: 'the connection broke: ECONNREFUSED' });
  });
});
