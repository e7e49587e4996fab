import type { Answer } from '../../support/clients/api.client';
import {
  violationsOfChain,
  violationsOfMoves,
  reportStorm,
  type StormReport,
} from '../../support/database/dialog.chain';
import type { GivenThread } from '../../support/database/fixture';
import { IS_LONG } from '../../support/long.mode';
import { setScene } from '../../support/scenes/base.scene';
import { CLUSTERS } from '../../support/database/test.database';

const STAGES = 6;
type Call = (index: number, threadId: string) => Promise<Answer>;

interface BulkResult {
  data?: { thread_id: string; changed: boolean };
}

const wordOf = ({ status, body }: Answer): string => {
  if (status === 200) return body.data.changed ? 'changed' : 'unchanged';
  return status === 409 ? 'conflict' : `${status} ${body.error.code}`;
};

const count = ({ answers }: StormReport, word: string): number =>
  answers.filter((answer) => answer === word).length;

describe.each(CLUSTERS)('Calls at once on one dialog, two processes, PostgreSQL $name', ({ name }) => {
  const scene = setScene({
    version: name,
    servers: 2,
    stages: Array(STAGES).fill({}),
    agentCouldAnswer: true,
  });

  beforeAll(async () => {
    for (const stage of scene.account.stages) await scene.account.addScenario(stage);
  });

  /** That many calls at once, spread over the processes, at a dialog that is at the first stage. */
  async function storm(calls: number, call: Call, given: GivenThread = {}): Promise<StormReport> {
    const threadId = await scene.account.addThread({ statusId: scene.stage(0), ...given });
    const before = await scene.kept.thread(threadId);
    const answers = await Promise.all(Array.from({ length: calls }, (_, index) => call(index, threadId)));
    return reportStorm(scene.kept, threadId, before, answers.map(wordOf));
  }

  const moveTo =
    (target: (index: number) => number, rest: object = {}): Call =>
    (index, thread_id) =>
      scene.apiAt(index).setStatus({ thread_id, status_id: scene.stage(target(index)), ...rest });

  describe.each(IS_LONG ? [50, 500] : [60])('%i of them', (calls) => {
    it('to one stage move it once', async () => {
      const sameStage = moveTo(() => 1);
      const report = await storm(calls, sameStage);
      expect(violationsOfChain(report)).toEqual([]);
      expect([count(report, 'changed'), count(report, 'unchanged')]).toEqual([1, calls - 1]);
    });

    it('to different stages leave one unbroken chain', async () => {
      const anyStage = moveTo((index) => index % STAGES);
      const report = await storm(calls, anyStage);
      expect(violationsOfChain(report)).toEqual([]);
      expect(count(report, 'changed')).toBeGreaterThan(STAGES);
    });

    it("to different stages that expect the lead's present stage move it once, the others conflict", async () => {
      const otherStage = moveTo((index) => 1 + (index % (STAGES - 1)), {
        expected_status_id: scene.stage(0),
      });
      const report = await storm(calls, otherStage);
      expect(violationsOfChain(report)).toEqual([]);
      expect(count(report, 'changed')).toBe(1);
      // Those that want what the one brought about are at their target already.
      expect(count(report, 'unchanged')).toBe(calls / (STAGES - 1) - 1);
    });

    it('moving, clearing and switching leave one unbroken chain', async () => {
      const report = await storm(calls, (index, threadId) => {
        if (index % 3 === 0) return scene.apiAt(index).setAi(threadId, index % 2 === 0);
        if (index % 7 === 0) return scene.apiAt(index).setStatus({ thread_id: threadId, status_id: null });
        return moveTo((at) => at % STAGES)(index, threadId);
      });
      expect(violationsOfChain(report)).toEqual([]);
      expect(new Set(report.events.map(({ type }) => type))).toEqual(new Set(['status', 'ai']));
    });
  });

  /** Moves into these share a statement: no stage here starts scenarios. */
  describe('60 of them at stages without scenarios, where moves share a statement,', () => {
    let withScenarios: string[];

    beforeAll(async () => {
      const { account } = scene;
      withScenarios = account.stages;
      account.stages = await account.addStages(account.assistantId, Array(STAGES).fill({}));
    });

    afterAll(() => {
      scene.account.stages = withScenarios;
    });

    it.each<[string, (index: number) => number, boolean, (report: StormReport) => boolean]>([
      ['to one stage', () => 1, false, (report) => count(report, 'changed') === 1],
      [
        'to different stages',
        (index) => index % STAGES,
        false,
        (report) => count(report, 'changed') > STAGES,
      ],
      [
        'to different stages that expect the first',
        (index) => 1 + (index % (STAGES - 1)),
        true,
        (report) => count(report, 'changed') === 1,
      ],
    ])('%s leave one unbroken chain and start nothing', async (_, target, isExpecting, isRight) => {
      const rest = isExpecting ? { expected_status_id: scene.stage(0) } : {};
      const report = await storm(60, moveTo(target, rest));
      expect(violationsOfMoves(report)).toEqual([]);
      expect([report.runVersions, isRight(report)]).toEqual([[], true]);
    });
  });

  it('of set-ai with the same value switch once', async () => {
    const report = await storm(20, (index, threadId) => scene.apiAt(index).setAi(threadId, false));
    expect(violationsOfChain(report)).toEqual([]);
    expect(count(report, 'changed')).toBe(1);
  });

  it('of set-ai true in a takeover end it once', async () => {
    const takenOver = { takeoverSeconds: 600 };
    const report = await storm(20, (index, threadId) => scene.apiAt(index).setAi(threadId, true), takenOver);
    expect(violationsOfChain(report)).toEqual([]);
    expect(report.events).toMatchObject([{ type: 'handler', from: 'OPERATOR', to: 'AI' }]);
  });

  it('as bulk moves across one another leave every chain unbroken', async () => {
    const threads = await Promise.all(
      Array.from({ length: 6 }, () => scene.account.addThread({ statusId: scene.stage(0) })),
    );
    const before = new Map(
      await Promise.all(
        threads.map(async (threadId) => [threadId, await scene.kept.thread(threadId)] as const),
      ),
    );
    const bulks = await Promise.all(
      Array.from({ length: 8 }, (_, bulk) => {
        const order = bulk % 2 === 0 ? threads : threads.toReversed();
        const status_id = scene.stage(1 + (bulk % (STAGES - 1)));
        const items = order.map((thread_id) => ({ thread_id, status_id }));
        return scene.apiAt(bulk % 3).setStatusBulk({ items, start_scenarios: true });
      }),
    );
    const results = bulks.flatMap(({ body }) => body.data.results as BulkResult[]);
    for (const [threadId, thread] of before) {
      const answers = results
        .filter(({ data }) => data?.thread_id === threadId)
        .map(({ data }) => (data?.changed ? 'changed' : 'unchanged'));
      expect(answers).toHaveLength(bulks.length);
      expect(violationsOfChain(await reportStorm(scene.kept, threadId, thread, answers))).toEqual([]);
    }
  });
});
