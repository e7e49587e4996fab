import type { AttemptFault } from '@app/contracts/webhook.words';
import type { WebhookOutcome } from '@app/domain/webhooks-out/sending/webhook-sender.port';
import { HOSTILE_URLS } from '../../../../test/support/stand-ins/hostile.addresses';
import { StandInProvider } from '../../../../test/support/stand-ins/provider.stand-in';
import { GuardedWebhookSender } from './guarded-webhook-sender';

let standIn: StandInProvider;

beforeAll(async () => {
  standIn = await StandInProvider.open();
});

beforeEach(() => standIn.reset());

afterAll(() => standIn.close());

/** Sends once over new connections. */
async function send(sender: GuardedWebhookSender, url: string, times = 1): Promise<WebhookOutcome[]> {
  const connections = sender.open();
  try {
    const outcomes: WebhookOutcome[] = [];
    for (let sent = 0; sent < times; sent += 1)
      outcomes.push(await connections.send({ url, headers: {}, body: '{}' }, new AbortController().signal));
    return outcomes;
  } finally {
    connections.close();
  }
}

/** The address with the port of the stand-in: those that are this machine lead to it. */
function here(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  parsed.port = new URL(standIn.url).port;
  return parsed.href;
}

const failed = (reason: AttemptFault, error: string) => ({
  status: null,
  error,
  reason,
  retryAfterMs: null,
  ms: expect.any(Number) as number,
});

describe('An address of an endpoint', () => {
  const strict = new GuardedWebhookSender({ mayReachThisMachine: false });

  // Which addresses are called is shown beside `guarded-addresses.ts`.
  it('that is hostile gets nothing, in any form, and is not connected to', async () => {
    const notCalled = failed('address', 'its address is not one that is called');
    for (const url of HOSTILE_URLS) {
      const outcomes = [...(await send(strict, url)), ...(await send(strict, here(url)))];
      expect([url, ...outcomes, standIn.connections]).toEqual([url, notCalled, notCalled, 0]);
    }
  });

  it.each([[['127.0.0.1']], [['::ffff:10.0.0.1']], [['8.8.8.8', '127.0.0.1']]])(
    'whose name leads to %j is not connected to',
    async (addresses) => {
      const sender = new GuardedWebhookSender({ mayReachThisMachine: false, resolve: async () => addresses });
      const [outcome] = await send(sender, `https://inner.example.com:${new URL(standIn.url).port}/`);
      expect(outcome).toEqual(failed('name_address', 'its name leads to an address that is not called'));
      expect(standIn.connections).toBe(0);
    },
  );

  it('is checked within the connect: a name that leads elsewhere afterwards gets nothing there', async () => {
    let asked = 0;
    const resolve = async () => ((asked += 1) === 1 ? ['127.0.0.1'] : ['10.0.0.1']);
    const sender = new GuardedWebhookSender({ mayReachThisMachine: true, resolve });
    const url = `http://rebound.test:${new URL(standIn.url).port}/`;
    const outcomes = await send(sender, url, 10);
    const passed = outcomes.filter(({ status }) => status === 200);
    // What passes goes over the connection to the address that was checked.
    expect(outcomes.filter((outcome) => !passed.includes(outcome))).toContainEqual(
      failed('name_address', 'its name leads to an address that is not called'),
    );
    expect([passed.length, standIn.connections]).toEqual([standIn.ledger.length, 1]);
    expect(outcomes[0]?.status).toBe(200);
  });

  it('that redirects is not followed', async () => {
    const sender = new GuardedWebhookSender({ mayReachThisMachine: true });
    standIn.answer(302, '', { location: `${standIn.url}/elsewhere` });
    const [outcome] = await send(sender, `${standIn.url}/hooks`);
    expect(outcome).toMatchObject({
      status: 302,
      error: 'it answered with a redirect, which is not followed',
      reason: 'redirect',
    });
    expect(standIn.ledger).toHaveLength(1);
  });
});

describe('An answer of an endpoint', () => {
  const sender = new GuardedWebhookSender({ mayReachThisMachine: true });

  it('is awaited for fifteen seconds', async () => {
    const limits = new Map<number, AbortController>();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const limit = limits.get(ms) ?? new AbortController();
      limits.set(ms, limit);
      return limit.signal;
    });
    try {
      standIn.behave = () => limits.get(15_000)?.abort();
      const outcomes = await send(sender, standIn.url);
      expect(outcomes).toEqual([failed('no_answer', 'no answer came within 15 s')]);
    } finally {
      timeout.mockRestore();
    }
  });

  it('has its body read up to 4 KiB and no further, and counts by its status', async () => {
    let written = 0;
    standIn.behave = (response) => {
      response.writeHead(200);
      const timer = setInterval(() => {
        written += 1_024;
        response.write('x'.repeat(1_024));
      }, 2);
      response.on('close', () => clearInterval(timer));
    };
    expect(await send(sender, standIn.url)).toMatchObject([{ status: 200, error: null }]);
    expect(written).toBeGreaterThan(4_096);
    // What was on its way when the connection was closed counts too.
    expect(written).toBeLessThan(16_384);
  });
});
