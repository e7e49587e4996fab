import { BoardClient } from '../../support/clients/board.client';
import { eventually } from '../../support/eventually';
import { AgentTalks, moveTo } from '../../support/scenes/agent.talks';
import { setReplyScene } from '../../support/scenes/reply.scene';

const scene = setReplyScene({ stages: [{}, { kind: 'qualified' }] });
const talks = new AgentTalks(scene);

const AGENT = () => ({ type: 'agent', id: scene.account.assistantId, name: 'agent' });

it('what the agent says, moves and hands over names it in the history', async () => {
  const handOver = { tool_calls: [{ name: 'hand_over', arguments: { reason: 'A discount' } }] };
  const talked = await talks.through([moveTo(scene.stage(1)), handOver]);
  const { body } = await scene.api.getHistory({ thread_id: `thread_${talked.thread}`, limit: 50 });
  const entries = body.data.entries as { type: string; by: string; actor: unknown }[];
  const told = entries.filter(({ by }) => by === 'AI').map(({ type, actor }) => ({ type, actor }));
  expect(told).toEqual([
    { type: 'attention', actor: AGENT() },
    { type: 'handler', actor: AGENT() },
    { type: 'status', actor: AGENT() },
  ]);
});

it('boards are told who it was, of each message and move', async () => {
  const board = await BoardClient.connect(scene.server.url, { api_key: scene.account.key });
  await board.open(scene.account.assistantId);
  const talked = await talks.through([moveTo(scene.stage(1))]);
  const id = `thread_${talked.thread}`;
  const ofAgent = (): { event: string; actor: unknown }[] =>
    board.events.flatMap((event) =>
      'actor' in event && event.thread_id === id && event.actor?.type === 'agent'
        ? [{ event: event.event, actor: event.actor }]
        : [],
    );
  await eventually(async () => ofAgent().length >= 2, 5_000, 'the board did not hear of the agent');
  board.socket.close();
  // The provider's answer comes a little later, or not yet.
  expect(ofAgent().slice(0, 2)).toEqual([
    { event: 'card.moved', actor: AGENT() },
    { event: 'message.created', actor: AGENT() },
  ]);
});
