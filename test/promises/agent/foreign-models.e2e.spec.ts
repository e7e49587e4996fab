import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LLMock } from '@copilotkit/aimock';
import mockOpenAi from 'mock-openai-api/dist/app';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';

// Models by other authors, behind the product as it is, one after the other by the same address.

const aimock = new LLMock({ port: 0, latency: 0, chunkSize: 5 });
const scene = setReplyScene({ ownServer: true });
let asked: URL;
let other: URL;

const urlOf = (server: Server): URL => new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

async function listening(server: Server): Promise<Server> {
  await once(server, 'listening');
  scene.whenClosed(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  return server;
}

scene.withStandIns(async () => {
  // One of them tells of each call.
  jest.spyOn(console, 'log').mockImplementation();
  scene.whenClosed(() => jest.restoreAllMocks());
  await aimock.start();
  scene.whenClosed(() => aimock.stop());
  asked = new URL(aimock.url);
  other = urlOf(await listening(mockOpenAi.listen(0, '127.0.0.1')));
  const front = createServer((from, to) => {
    const { method, url: path, headers } = from;
    const { hostname, port } = asked;
    const passed = request({ hostname, port, method, path, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
    });
    passed.on('error', () => to.destroy());
    from.pipe(passed);
  });
  const { href } = urlOf(await listening(front.listen(0, '127.0.0.1')));
  return { AI_BASE_URL: `${href}v1`, AI_MODEL: 'mock-gpt-thinking-tag' };
});

describe('a customer is answered by aimock', () => {
  it('with its words', async () => {
    aimock.onMessage('Вы открыты?', { content: 'Да, до 21 часа.', reasoning: 'They ask for the hours.' });
    const customer = newCustomer();
    const thread = await scene.write(customer, 'Вы открыты?');
    expect(await scene.untilSaid(customer, 1)).toEqual(['Да, до 21 часа.']);
    await scene.untilQuiet(thread);
    expect(await scene.replies(thread)).toMatchObject([{ state: 'answered', parts: 1 }]);
  });

  it('and handed over to a person, by its call', async () => {
    aimock.on(
      { userMessage: 'Позовите человека', hasToolResult: false },
      { toolCalls: [{ name: 'hand_over', arguments: '{"reason":"asks for a person"}' }] },
    );
    aimock.on({ hasToolResult: true }, { content: 'Передаю вас коллеге.' });
    const customer = newCustomer();
    const thread = await scene.write(customer, 'Позовите человека');
    expect(await scene.untilSaid(customer, 1)).toEqual(['Передаю вас коллеге.']);
    await scene.untilQuiet(thread);
    expect(await scene.told(thread)).toEqual(['attention hand_over']);
    expect((await scene.api.getLead(`thread_${thread}`)).body.data.message_handler).toBe('OPERATOR');
  });
});

it('a customer is answered by mock-openai-api with its words, without its thoughts', async () => {
  asked = other;
  const customer = newCustomer();
  await scene.write(customer, 'Hello');
  expect(await scene.untilSaid(customer, 1)).toEqual(['Hello! How can I help you today? 😊']);
});
