import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';

const scene = setReplyScene({ stages: [{}, {}] });

const attentionOf = async ({ phone }: { phone: string }): Promise<unknown> => {
  const { body } = await scene.api.call('messages/get-threads', { phones: [`+${phone}`] });
  return body.data.threads[0].attention?.reason;
};

const HAND_OVER = '<tool_call>{"name": "hand_over", "arguments": {"reason": "a complaint"}}</tool_call>';

it.each([
  ['a thought without its opening mark', 'They greet.\n</think>\nHello.', 'Hello.'],
  ['a token of the next turn', 'Hello.<|im_end|>\n<|im_start|>user\nHow much?', 'Hello.'],
  ['an answer in JSON', '{"response": "Hello."}', 'Hello.'],
  ['a mark of ours that Markdown hid', '\\[operator 1a2b3c4d\\] Hello.', 'Hello.'],
])('a customer gets no %s', async (_, text, said) => {
  const customer = newCustomer();
  await scene.model.reply({ text, when: customer.phone });
  const thread = await scene.write(customer, `Hi ${customer.phone}`);
  await scene.untilSaid(customer, 1);
  await scene.untilQuiet(thread);
  expect((await scene.messages(thread)).map(({ role, text: kept }) => [role, kept])).toEqual([
    ['USER', `Hi ${customer.phone}`],
    ['AI', said],
  ]);
});

it('a call that is written as text is made, once, and the text beside it goes out', async () => {
  const customer = newCustomer();
  await scene.model.reply(
    { text: `One moment, please.\n${HAND_OVER}`, when: customer.phone },
    { text: '', when: customer.phone },
  );
  const thread = await scene.write(customer, `I complain ${customer.phone}`);
  expect(await scene.untilSaid(customer, 1)).toEqual(['One moment, please.']);
  await scene.untilQuiet(thread);
  expect(await attentionOf(customer)).toBe('hand_over');
  const { body } = await scene.api.call('leads/get-history', { thread_id: `thread_${thread}` });
  const types = (body.data.entries as { type: string }[]).map(({ type }) => type);
  expect(types.filter((type) => type === 'handler')).toHaveLength(1);
});

it('a model that only writes what nobody can read is asked three times, then a person', async () => {
  const customer = newCustomer();
  await scene.model.reply({ text: '<tool_call>{"name": "hand_', when: customer.phone, times: null });
  const thread = await scene.write(customer, `Hi ${customer.phone}`);
  await scene.untilQuiet(thread);
  expect(scene.said(customer)).toEqual([]);
  expect(await attentionOf(customer)).toBe('model');
  expect(await scene.model.requests(customer.phone)).toHaveLength(3);
  await scene.model.clear();
});
