import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LLMock } from '@copilotkit/aimock';
import mockOpenAi from 'mock-openai-api/dist/app';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';

// Models by other authors, behind the product as it is.

describe('a customer is answered by aimock', () => {
  const model = new LLMock({ port: 0, latency: 0, chunkSize: 5 });
  const scene = setReplyScene({ ownServer: true });

  scene.withStandIns(async () => {
    await model.start();
    scene.whenClosed(() => model.stop());
    return { AI_BASE_URL: `${model.url}/v1` };
  });

  it('with its words', async () => {
    model.onMessage('Вы открыты?', { content: 'Да, до 21 часа.', reasoning: 'They ask for the hours.' });
    const customer = newCustomer();
    const thread = await scene.write(customer, 'Вы открыты?');
    expect(await scene.untilSaid(customer, 1)).toEqual(['Да, до 21 часа.']);
    await scene.untilQuiet(thread);
    expect(await scene.replies(thread)).toMatchObject([{ state: 'answered', parts: 1 }]);
  });

  it('and handed over to a person, by its call', async () => {
    model.on(
      { userMessage: 'Позовите человека', hasToolResult: false },
      { toolCalls: [{ name: 'hand_over', arguments: '{"reason":"asks for a person"}' }] },
    );
    model.on({ hasToolResult: true }, { content: 'Передаю вас коллеге.' });
    const customer = newCustomer();
    const thread = await scene.write(customer, 'Позовите человека');
    expect(await scene.untilSaid(customer, 1)).toEqual(['Передаю вас коллеге.']);
    await scene.untilQuiet(thread);
    expect(await scene.told(thread)).toEqual(['attention hand_over']);
    expect((await scene.api.getLead(`thread_${thread}`)).body.data.message_handler).toBe('OPERATOR');
  });
});

describe('a customer is answered by mock-openai-api', () => {
  const scene = setReplyScene({ ownServer: true });

  scene.withStandIns(async () => {
    // It tells of each call.
    jest.spyOn(console, 'log').mockImplementation();
    const model: Server = mockOpenAi.listen(0, '127.0.0.1');
    await once(model, 'listening');
    scene.whenClosed(async () => {
      model.closeAllConnections();
      await new Promise((closed) => model.close(closed));
      jest.restoreAllMocks();
    });
    const { port } = model.address() as AddressInfo;
    return { AI_BASE_URL: `http://127.0.0.1:${port}/v1`, AI_MODEL: 'mock-gpt-thinking-tag' };
  });

  it('with its words, without its thoughts', async () => {
    const customer = newCustomer();
    await scene.write(customer, 'Hello');
    expect(await scene.untilSaid(customer, 1)).toEqual(['Hello! How can I help you today? 😊']);
  });
});
