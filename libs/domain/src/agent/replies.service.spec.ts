import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StageKind } from '@app/contracts/stage.words';
import type { ClaimedReply, ReplyRepository } from '@app/persistence/agent/reply.repository';
import type { TakeoverRepository } from '@app/persistence/agent/takeover.repository';
import type {
  ThreadContextRepository,
  FunnelStageRow,
} from '@app/persistence/agent/thread-context.repository';
import { RowBusyError } from '@app/persistence/database/database.errors';
import type { LeadRepository } from '@app/persistence/leads/lead.repository';
import type { EventNotifier } from '../events/event-notifier.service';
import { ReplyAbility } from '../leads/reply-ability';
import type { ShownPictures } from '../media/media-previews.service';
import type { ChannelConnections, OpenChannel } from '../messages/sending/channel-connections.service';
import type { WorkNotifier } from '../work/work-notifier';
import type { CustomToolsService } from './custom-tools.service';
import { LanguageModel, type ModelOutcome, type ModelRequest } from './language-model.port';
import { LeadTools } from './lead-tools';
import { Replies } from './replies.service';
import { AgentLimits, ReplyCounts } from './reply-run';
import type { ReplySpeech, Typing } from './reply-speech';
import { ReplyWatch } from './reply-watch';

const REPLY = { accountId: 'account', replyId: '1' };

const CLAIMED = {
  thread_id: 'thread',
  epoch: 1,
  attempts: 1,
  parts: 0,
  closed: null,
  instructions: '',
  customer_name: null,
  barred_kinds: [] as StageKind[],
  reply_parts_max: 1,
} as unknown as ClaimedReply;

const MUTING = { id: 'stage', name: 'Done', kind: 'success', ai_enabled: false } as FunnelStageRow;

const ANSWERED = { state: 'answered', entry: null };
const ON_THREAD: unknown = expect.objectContaining({ thread_id: 'thread', epoch: 1 });

/** Writes until it is stopped. */
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

/** Calls a tool, then answers. */
class CallingModel extends LanguageModel {
  constructor(
    private readonly tool: string,
    private readonly given: object,
  ) {
    super();
  }

  async reply({ tools }: ModelRequest, signal: AbortSignal): Promise<ModelOutcome> {
    await tools.find(({ name }) => name === this.tool)?.call(this.given, signal);
    return { kind: 'replied', text: 'Hello.' };
  }
}

interface Fakes {
  repository: Partial<ReplyRepository>;
  takeovers?: Partial<TakeoverRepository>;
  leads?: Partial<LeadRepository>;
  channels?: Partial<ChannelConnections>;
  model: LanguageModel;
}

function repliesOf({ repository: given, takeovers = {}, leads = {}, channels, model }: Fakes): Replies {
  const repository = {
    claim: () => Promise.resolve(CLAIMED),
    look: () => Promise.resolve([]),
    hold: () => Promise.resolve(),
    spendToolCall: () => Promise.resolve(true),
    ...given,
  } as unknown as ReplyRepository;
  const eventNotifier = { notify: () => undefined } as unknown as EventNotifier;
  const threads = {
    funnel: () => Promise.resolve([MUTING]),
    clock: () => Promise.resolve({ timezone: 'UTC', opening_hours: null }),
    spoken: () => Promise.resolve([]),
    stageOf: () => Promise.resolve({ status_id: null, locked: false }),
  } as unknown as ThreadContextRepository;
  return new Replies(
    repository,
    threads,
    takeovers as TakeoverRepository,
    (channels ?? { findForWork: () => Promise.resolve({} as OpenChannel) }) as ChannelConnections,
    model,
    new LeadTools(threads, leads as LeadRepository, eventNotifier, {
      notify: () => undefined,
    } as unknown as WorkNotifier),
    { toolsOf: () => Promise.resolve([]) } as unknown as CustomToolsService,
    { of: () => Promise.resolve(new Map()) } as unknown as ShownPictures,
    {
      pausedMs: () => Promise.resolve(0),
      say: () => Promise.resolve({ parts: 1, end: 'all' }),
    } as unknown as ReplySpeech,
    { show: () => undefined } as unknown as Typing,
    new ReplyWatch(repository),
    new AgentLimits(true, 0, 200, false, 30_000),
    new ReplyAbility(true, 'key'),
    new ReplyCounts(),
    eventNotifier,
  );
}

const serve = (replies: Replies, stopping = new AbortController()): Promise<void> =>
  replies.serve({ accountId: REPLY.accountId, id: REPLY.replyId }, stopping.signal);

it('a reply that is claimed while the process is asked to end is left to another at once', async () => {
  const stopping = new AbortController();
  const model = new PatientModel();
  const later = jest.fn(() => Promise.resolve());
  const claim = (): Promise<ClaimedReply> => {
    stopping.abort();
    return Promise.resolve(CLAIMED);
  };
  await serve(repliesOf({ repository: { claim, later }, model }), stopping);
  expect(later).toHaveBeenCalledWith(expect.objectContaining(REPLY), { inMs: 0, counts: 'nothing' });
  expect(model.asked).toBe(0);
});

describe('a reply that was said while somebody holds its dialog', () => {
  const busyOnce = <T>(value: T): jest.Mock<Promise<T>> =>
    jest.fn<Promise<T>, []>().mockRejectedValueOnce(new RowBusyError(null)).mockResolvedValue(value);

  it('is over, and its lead handed to a person, as soon as the dialog is free', async () => {
    const [finish, handOver] = [busyOnce(undefined), busyOnce(7)];
    const model = new CallingModel('hand_over', { reason: 'asked for' });
    await serve(repliesOf({ repository: { finish }, takeovers: { handOver }, model }));
    expect(handOver).toHaveBeenCalledTimes(2);
    expect(finish).toHaveBeenLastCalledWith(expect.objectContaining(REPLY), ON_THREAD, ANSWERED);
    expect(finish).toHaveBeenCalledTimes(2);
  });

  it('is over though the move after it could not be made', async () => {
    const finish = jest.fn(() => Promise.resolve());
    const moveToStage = jest.fn(() => Promise.reject(new RowBusyError(null)));
    const model = new CallingModel('move_lead', { status_id: MUTING.id });
    await serve(repliesOf({ repository: { finish }, leads: { moveToStage }, model }));
    expect(moveToStage).toHaveBeenCalled();
    expect(finish).toHaveBeenCalledWith(expect.objectContaining(REPLY), ON_THREAD, ANSWERED);
  });
});

it('however many replies are due at once, two of their claims and reads of numbers are under way', async () => {
  const DUE = 8;
  let [underWay, most] = [0, 0];
  const lookup = async <T>(found: T): Promise<T> => {
    underWay += 1;
    most = Math.max(most, underWay);
    await nextTurn();
    underWay -= 1;
    return found;
  };
  const claim = jest.fn(() => lookup(CLAIMED));
  const findForWork = jest.fn(() => lookup({} as OpenChannel));
  const finish = jest.fn(() => Promise.resolve());
  const model = new CallingModel('none', {});
  const replies = repliesOf({ repository: { claim, finish }, channels: { findForWork }, model });
  await Promise.all(Array.from({ length: DUE }, () => serve(replies)));
  expect(most).toBe(2);
  for (const each of [claim, findForWork, finish]) expect(each).toHaveBeenCalledTimes(DUE);
});
