import { refusedAt } from '../../../../test/support/clients/refused.fields';
import { SetAiRequest } from './ai-switch.controller';

describe('set-ai', () => {
  it.each([true, false])('takes %j', (ai_enabled) => {
    expect(refusedAt(SetAiRequest, { thread_id: 'thread_1', ai_enabled })).toEqual([]);
  });

  it.each([[undefined], [null], ['false'], ['true'], [0], [1], [''], [[true]], [{}]])(
    'refuses ai_enabled %j',
    (ai_enabled) => {
      expect(refusedAt(SetAiRequest, { thread_id: 'thread_1', ai_enabled })).toEqual(['ai_enabled']);
    },
  );

  it.each([[undefined], [null], [''], [5]])('refuses thread_id %j', (thread_id) => {
    expect(refusedAt(SetAiRequest, { thread_id, ai_enabled: true })).toEqual(['thread_id']);
  });
});
