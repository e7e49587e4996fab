import { partsOf } from './reply-parts';

const AGENT = { handover_text: null, reply_parts_max: 3 };
const LONG = 'Передаю ваш вопрос коллеге, он напишет вам в ближайшее время, подождите.';
const OWN = `Одну минуту, зову коллегу, оставайтесь на связи, пожалуйста, это быстро.\n\nСпасибо, что ждёте.`;

it('a reply has as many messages as its agent allows', () => {
  expect(partsOf(AGENT, `${LONG}\n\nСпасибо!`, false)).toEqual([LONG, 'Спасибо!']);
  expect(partsOf({ ...AGENT, reply_parts_max: 1 }, `${LONG}\n\nСпасибо!`, false)).toHaveLength(1);
  expect(partsOf(AGENT, ' ', false)).toEqual([]);
});

describe('a hand-over', () => {
  it('is announced in one message, where the model writes several', () => {
    expect(partsOf(AGENT, `${LONG}\n\nСпасибо!`, true)).toEqual([`${LONG}\n\nСпасибо!`]);
  });

  it.each(['Слова модели.', ' '])(
    'is announced in the agent’s own words where there are some, not in %j',
    (said) => {
      expect(partsOf({ ...AGENT, handover_text: OWN }, said, true)).toEqual([OWN]);
    },
  );

  it('leaves a reply that hands nothing over in the model’s words', () => {
    expect(partsOf({ ...AGENT, handover_text: OWN }, 'Слова модели.', false)).toEqual(['Слова модели.']);
  });
});
