import type { ClaimedReply } from '@app/persistence/agent/reply.repository';
import type {
  FunnelStageRow,
  ThreadContextRepository,
} from '@app/persistence/agent/thread-context.repository';
import type { LeadRepository } from '@app/persistence/leads/lead.repository';
import type { EventNotifier } from '../events/event-notifier.service';
import type { WorkNotifier } from '../work/work-notifier';
import { MOVED, MOVED_ALREADY, NO_SUCH_STAGE, LeadTools } from './lead-tools';
import { ReplyRun } from './reply-run';

const NEVER = new AbortController().signal;

const FUNNEL = [
  { id: 'first', kind: 'new', ai_enabled: true },
  { id: 'second', kind: 'qualified', ai_enabled: true },
  { id: 'mutes', kind: 'qualified', ai_enabled: false },
  { id: 'starts', kind: 'qualified', ai_enabled: true, starts_runs: true },
  { id: 'barred', kind: 'failure', ai_enabled: true },
] as unknown as FunnelStageRow[];

interface Given {
  claim?: Partial<ClaimedReply>;
  /** Where the lead stands. */
  locked?: boolean;
}

/** What a model may do to its lead, with the stages to which the lead was moved. */
function open({ claim = {}, locked = false }: Given = {}) {
  const moves: string[] = [];
  const leads = {
    moveToStage: async (_: unknown, { statusId }: { statusId: string }) => (
      moves.push(statusId),
      { seq: '1' }
    ),
  };
  const service = new LeadTools(
    { stageOf: async () => ({ status_id: 'first', locked }) } as unknown as ThreadContextRepository,
    leads as unknown as LeadRepository,
    { notify: () => undefined } as unknown as EventNotifier,
    { notify: () => undefined } as unknown as WorkNotifier,
  );
  const held = { accountId: 'account', replyId: '1', token: 'token' };
  const run = new ReplyRun(held, { barred_kinds: ['failure'], moved: false, ...claim } as ClaimedReply);
  const { tools, after } = service.toolsFor(run, FUNNEL);
  const call = async (name: string, given: unknown): Promise<unknown> =>
    tools.find((tool) => tool.name === name)?.call(given, NEVER);
  return { service, run, tools, after, moves, call, move: (given: unknown) => call('move_lead', given) };
}

describe('move_lead', () => {
  it('moves to a stage that is offered, once in a reply', async () => {
    const { moves, move } = open();
    expect(await move({ status_id: 'second' })).toBe(MOVED);
    expect(await move({ status_id: 'first' })).toBe(MOVED_ALREADY);
    expect(moves).toEqual(['second']);
  });

  it('moves no lead that an earlier try of the reply has moved', async () => {
    const { moves, move } = open({ claim: { moved: true } });
    expect(await move({ status_id: 'second' })).toBe(MOVED_ALREADY);
    expect(moves).toEqual([]);
  });

  it('offers no stage of a kind that is barred', () => {
    const [tool] = open().tools;
    expect(tool?.parameters).toMatchObject({
      properties: { status_id: { enum: ['first', 'second', 'mutes', 'starts'] } },
    });
  });

  it.each([
    ['a stage that is not in the funnel', { status_id: '01930000-0000-7000-8005-000000000001' }],
    ['a stage that is barred', { status_id: 'barred' }],
    ['no stage at all', {}],
    ['null', { status_id: null }],
    ['a number', { status_id: 2 }],
    ['a list of stages', { status_id: ['second'] }],
    ['a stage by its name', { status_id: 'Stage 2' }],
    ['a stage in a list of arguments', ['second']],
    ['a text', 'second'],
    ['null arguments', null],
    ['a stage with a customer’s dialog beside it', { status_id: 'none', thread_id: 'thread_1' }],
  ])('moves nobody to %s', async (_, given) => {
    const { moves, move } = open();
    expect(await move(given)).toBe(NO_SUCH_STAGE);
    expect(moves).toEqual([]);
  });

  it('never moves away from a locked stage', async () => {
    const { moves, move } = open({ locked: true });
    expect(await move({ status_id: 'second' })).toMatch(/^Refused/);
    expect(moves).toEqual([]);
  });

  it.each(['mutes', 'starts'])('moves after the reply to a stage that %s', async (status_id) => {
    const { service, run, after, moves, move } = open();
    expect(await move({ status_id })).toMatch(/^The lead is moved when your answer has been sent/);
    expect(moves).toEqual([]);
    await service.moveAfter(run, after, 0);
    expect(moves).toEqual([status_id]);
  });
});

describe('hand_over', () => {
  it.each([
    ['as it is', 'Wants a person.', 'Wants a person.'],
    [
      'without what the database refuses, and cut',
      `х\0${'х'.repeat(498)}😀 и ещё`,
      `${'х'.repeat(499)}\ufffd`,
    ],
    ['none, where none is given', undefined, ''],
    ['none, where it is no text', { why: 'x' }, ''],
  ])('keeps the reason %s', async (_, reason, kept) => {
    const { after, call } = open();
    expect(after.handOver).toBeNull();
    await call('hand_over', { reason });
    expect(after.handOver).toBe(kept);
  });

  it('bears arguments that are none', async () => {
    const { after, call } = open();
    await call('hand_over', null);
    expect(after.handOver).toBe('');
  });
});
