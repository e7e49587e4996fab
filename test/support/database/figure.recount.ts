import { ApiClient, type Answer } from '../clients/api.client';
import type { AccountFixture } from './fixture';
import { FigureModel } from './figure.model';
import type { RandomSpan } from './random.history';

const TIMEZONES = [
  'UTC',
  'Asia/Almaty',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'America/New_York',
];

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

/** Figures of random spans of a history equal a recount, by any time zone. @param api of a key of the account */
export async function expectRecount(
  account: AccountFixture,
  api: ApiClient,
  random: () => number,
  history: RandomSpan,
): Promise<void> {
  const model = await FigureModel.read(account);
  const length = history.to.getTime() - history.from.getTime();
  for (const timezone of TIMEZONES) {
    const [one = 0, other = 0] = [random(), random()].sort((a, b) => a - b);
    const from = new Date(history.from.getTime() + Math.floor(one * length));
    const to = new Date(history.from.getTime() + Math.floor(other * length) + 1);
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
