import { replyAsShop } from '../../../sandbox/src/model/word-acts';
import { languageOf } from '../../../sandbox/src/model/shop-topics';
import { SALES_FUNNEL, SERVICE_FUNNEL, CLINIC_FUNNEL } from '../seed/demo-funnels';
import { SCENES } from './life-cast';
import type { Intent, Line } from './life.words';

const FUNNELS = [SALES_FUNNEL, SERVICE_FUNNEL, CLINIC_FUNNEL];
const TOOLS = ['move_lead', 'hand_over'];

/** What the scripted model does with a line at no stage: the stage to which it moves the lead, or the tool's name. */
function deedOf(line: Line, funnel: (typeof FUNNELS)[number]): string | null {
  const text = typeof line === 'string' ? line : `[${line.kind}] ${line.caption}`;
  const stages = funnel.map(
    ({ id, name, description }) => `- ${id}: ${name}${description ? ` (${description})` : ''}`,
  );
  const content = `The stages of the funnel, by id:\n${stages.join('\n')}\n\nThe lead stands at no stage yet.`;
  const parameters = { properties: { status_id: { enum: funnel.map(({ id }) => id) } } };
  const { calls = [] } = replyAsShop({
    ...{ model: 'scripted', stream: true, withUsage: false },
    messages: [
      { role: 'system', text: content, callIds: [], answers: null },
      { role: 'user', text, callIds: [], answers: null },
    ],
    tools: TOOLS.map((name) => ({ name, parameters })),
  });
  const [call] = calls;
  if (call?.name !== 'move_lead') return call?.name ?? null;
  const { status_id: to } = JSON.parse(call.arguments) as { status_id: string };
  return funnel.find(({ id }) => id === to)?.name ?? to;
}

const DEEDS: Record<Intent, (string | null)[]> = {
  ...{ ask: [null], thanks: [null], paid: [null], wait: [null], stop: [null] },
  ...{ human: ['hand_over'], buy: ['В работе'], budget: ['Квалифицирован'] },
  ...{ invoice: ['Ожидает оплаты', 'Invoice sent', null], refuse: ['Отказ', 'Lost'] },
  ...{ again: ['Новая заявка', 'New request', 'New patient'] },
  ...{ book: ['Booked'], broken: ['In progress'], fixed: ['Solved'] },
};

const spoken = SCENES.flatMap((scene, index) =>
  Object.entries(scene.lines).flatMap(([intent, byLanguage]) =>
    Object.values(byLanguage)
      .flat()
      .map(
        (line) => [typeof line === 'string' ? line : line.caption, intent as Intent, line, index] as const,
      ),
  ),
);

describe('what a customer of the demo says', () => {
  it.each(spoken)('%s leads to what is meant: %s', (_, intent, line, index) => {
    expect(DEEDS[intent]).toContain(deedOf(line, FUNNELS[index] ?? []));
  });

  it('exists in the language of each customer, for all that she may want', () => {
    const missing = SCENES.flatMap(({ cast, wants, lines }) => {
      const intents = new Set([...[...wants.values()].flat(), 'wait', 'human', 'stop'] as Intent[]);
      return cast.flatMap(({ phone, language }) =>
        [...intents].filter((intent) => !lines[intent]?.[language]?.length).map((intent) => [phone, intent]),
      );
    });
    expect(missing).toEqual([]);
  });

  it.each(SCENES.flatMap(({ lines }) => Object.values(lines)))('is answered in its own language', (said) => {
    for (const [language, lines] of Object.entries(said))
      for (const line of lines)
        expect([line, languageOf(typeof line === 'string' ? line : line.caption)]).toEqual([line, language]);
  });

  it('is Russian, Kazakh and English', () => {
    const languages = new Set(SCENES.flatMap(({ cast }) => cast.map(({ language }) => language)));
    expect([...languages].sort()).toEqual(['en', 'kk', 'ru']);
  });
});
