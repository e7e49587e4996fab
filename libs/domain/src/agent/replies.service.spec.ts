import type { DialogContextRepository } from '@app/persistence/agent/dialog-context.repository';
import type { ClaimedTurn, ReplyTurnRepository } from '@app/persistence/agent/reply-turn.repository';
import type { TakeoverRepository } from '@app/persistence/agent/takeover.repository';
import type { EventBell } from '../events/event-bell.service';
import type { ReplyBell } from '../jobs/reply.bell';
import type { ChannelConnections, OpenChannel } from '../messages/channel-connections.service';
import { AgentLimits } from './agent.limits';
import type { CustomToolsService } from './custom-tools.service';
import { LanguageModel, type ModelOutcome, type ModelRequest } from './language-model.port';
import type { LeadTools } from './lead.tools';
import { Replies } from './replies.service';
import { ReplyCounts } from './reply.counts';
import type { ReplySpeech } from './reply.speech';
import { TurnWatch } from './turn.watch';
import type { Typing } from './typing.service';

const TURN = { accountId: 'account', turnId: '1' };

const CLAIMED = {
  thread_id: 'thread',
  attempts: 1,
  parts: 0,
  closed: null,
  instructions: '',
  customer_name: null,
} as ClaimedTurn;

/** Writes for as long as it is let. */
class PatientModel extends LanguageModel {
  asked = 0;

  reply(_: ModelRequest, signal: AbortSignal): Promise<ModelOutcome> {
    if (signal.aborted) return Promise.resolve({ kind: 'aborted' });
    this.asked += 1;
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({ kind: 'aborted' }));
    });
  }
}

it('a turn that is claimed while the process is told to end is left to another at once', async () => {
  const stopping = new AbortController();
  const model = new PatientModel();
  const later = jest.fn(() => Promise.resolve());
  const turns = {
    claim: async () => {
      stopping.abort();
      return CLAIMED;
    },
    look: async () => [],
    hold: async () => undefined,
    later,
  } as unknown as ReplyTurnRepository;
  const replies = new Replies(
    turns,
    { funnel: async () => [], spoken: async () => [] } as unknown as DialogContextRepository,
    {} as TakeoverRepository,
    { find: async () => ({}) as OpenChannel } as unknown as ChannelConnections,
    model,
    { toolsFor: () => ({ tools: [], after: { handOver: null, move: null } }) } as unknown as LeadTools,
    { toolsOf: async () => [] } as unknown as CustomToolsService,
    { pausedMs: async () => 0 } as unknown as ReplySpeech,
    { show: () => undefined } as unknown as Typing,
    new TurnWatch(turns),
    new AgentLimits(true, 0),
    {} as ReplyBell,
    new ReplyCounts(),
    {} as EventBell,
  );
  await replies.serve({ account_id: TURN.accountId, turn_id: TURN.turnId }, stopping.signal);
  expect(later).toHaveBeenCalledWith(expect.objectContaining(TURN), { inMs: 0, counts: 'nothing' });
  expect(model.asked).toBe(0);
});
