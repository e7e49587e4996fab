import type { StepDefinition } from '@app/contracts/scenario.words';
import { setScenarioScene } from '../../support/scenes/scenario.scene';

const scene = setScenarioScene();

const THANKS: StepDefinition = { kind: 'send_template', template_id: 'order_ready', params: ['a', 'b'] };

describe('a run', () => {
  it('begins with the move, sends, waits, and goes on', async () => {
    await scene.scenario(0, [THANKS, { kind: 'wait', seconds: 3_600 }, { kind: 'notify', text: 'Look' }]);
    const { threadId, phone } = await scene.dialog();
    await scene.move(threadId, 0);
    const waiting = await scene.untilRun(threadId, 'waiting');
    expect(waiting.progress.map(({ state }) => state)).toEqual(['done', 'waiting']);
    expect(scene.provider.sendsTo(phone)).toHaveLength(1);
    await scene.later(threadId, 3_600);
    const done = await scene.untilRun(threadId, 'done');
    expect(done.progress.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  });

  it('is cancelled when the lead leaves its stage', async () => {
    await scene.scenario(1, [{ kind: 'wait', seconds: 3_600 }, THANKS]);
    const { threadId, phone } = await scene.dialog();
    await scene.move(threadId, 1);
    await scene.untilRun(threadId, 'waiting');
    await scene.move(threadId, null);
    const run = await scene.untilRun(threadId, 'cancelled');
    expect(run.reason).toBe('left_stage');
    expect(scene.provider.sendsTo(phone)).toHaveLength(0);
  });
});
