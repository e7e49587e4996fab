import type { Answer } from '../../support/clients/api.client';
import { AccountFixture } from '../../support/database/fixture';
import { FigureModel } from '../../support/database/figure.model';
import { randomOf, writeHistory } from '../../support/database/random.history';
import { setLeadScene } from '../../support/scenes/lead.scene';

const STAGES = [{}, {}, {}, { kind: 'success' }, { kind: 'failure' }] as const;

/** Clocks change in it: Lord Howe's by half an hour on October 5, Berlin's on October 26, New York's on November 2. */
const HISTORY = { from: new Date('2025-09-25T00:00:00Z'), to: new Date('2025-11-10T00:00:00Z') };

const TIMEZONES = [
  'UTC',
  'Asia/Almaty',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'America/New_York',
];

const scene = setLeadScene({ stages: [...STAGES] });

interface Day {
  stages: { status_id: string | null }[];
  [figure: string]: unknown;
}

/** Days without their instants, and their stages in one order. */
const plain = ({ body, status }: Answer): unknown => {
  expect([status, body.error, body.data?.complete]).toEqual([200, undefined, true]);
  const { stages, messages, first_answers, days } = body.data;
  return {
    ...{ stages, messages, first_answers },
    days: (days as Day[]).map(({ from: _, to: __, ...day }) => ({
      ...day,
      stages: day.stages.toSorted((one, other) => ((one.status_id ?? '') < (other.status_id ?? '') ? -1 : 1)),
    })),
  };
};

interface Template {
  failed_by_code: object[];
}

const textOf = (value: object): string => JSON.stringify(value);

/** Templates and their reasons in one order, without what the model does not tell of them. */
const inOrder = (templates: readonly Template[]): object[] =>
  templates
    .map(({ failed_by_code, ...template }) => ({
      ...Object.fromEntries(Object.entries(template).filter(([name]) => !OF_REGISTRY.includes(name))),
      failed_by_code: failed_by_code.toSorted((one, other) => (textOf(one) < textOf(other) ? -1 : 1)),
    }))
    .toSorted((one, other) => (textOf(one) < textOf(other) ? -1 : 1));
const OF_REGISTRY = ['template_id', 'channel', 'category'];

async function expectRecount(account: AccountFixture, random: () => number): Promise<void> {
  const model = await FigureModel.read(account);
  const api = scene.apiAt(0, account.key);
  const length = HISTORY.to.getTime() - HISTORY.from.getTime();
  for (const timezone of TIMEZONES) {
    const [one = 0, other = 0] = [random(), random()].sort((a, b) => a - b);
    const from = new Date(HISTORY.from.getTime() + Math.floor(one * length));
    const to = new Date(HISTORY.from.getTime() + Math.floor(other * length) + 1);
    const asked = { assistant_id: account.assistantId, from, to, timezone };
    expect({ timezone, from, to, figures: plain(await api.call('leads/get-funnel-figures', asked)) }).toEqual(
      {
        ...{ timezone, from, to },
        figures: model.funnel({ from, to, timezone }),
      },
    );
    const { body } = await api.call('messages/get-template-figures', { bot_id: account.botId, from, to });
    expect(inOrder(body.data.templates as Template[])).toEqual(inOrder(model.templates({ from, to })));
  }
}

it.each([1, 2, 3])(
  'figures of a random history equal a recount of it, by any time zone (seed %i)',
  async (seed) => {
    const random = randomOf(seed);
    const account = await AccountFixture.create(scene.database.pool, [...STAGES]);
    await writeHistory(account, random, HISTORY, 60);
    await expectRecount(account, random);
    await account.db.query(
      'UPDATE statuses SET archived_at = clock_timestamp() WHERE account_id = $1 AND id = $2',
      [account.id, account.stages[1]],
    );
    await account.db.query(`UPDATE statuses SET kind = 'success' WHERE account_id = $1 AND id = $2`, [
      account.id,
      account.stages[2],
    ]);
    await writeHistory(account, random, HISTORY, 40);
    await expectRecount(account, random);
  },
);
