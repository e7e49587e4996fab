import type { NeededTemplate } from '@app/persistence/templates/template.repository';
import { violationsOfTemplates } from './template-values';

const template = (given: Partial<NeededTemplate> = {}): NeededTemplate => ({
  ...{ template_id: 'order_ready', language: 'ru', channel: 'waba', header: null, buttons: [] },
  ...{ params_count: 2, param_names: [], name: 'order_ready', parameter_format: 'positional', body: null },
  ...{ provider_id: null, ...given },
});
const send = (more: object = {}) => ({ kind: 'send_template', template_id: 'order_ready', ...more });
const pathsOf = (step: object, ...templates: NeededTemplate[]) =>
  violationsOfTemplates([{ kind: 'wait', seconds: 60 }, step], templates).map(({ path }) => path);

const NAMED = template({ param_names: ['name', 'time'] });
const URL_BUTTON = { type: 'url', text: 'Track', url: 'https://shop.example/{{1}}' } as const;
const CALL = { type: 'phone_number', text: 'Call', phone_number: '+77015550101' } as const;

it.each([
  ['all values', send({ params: ['Dana', '18:00'] }), template(), []],
  ['no value', send(), template(), ['steps[1].params']],
  ['a value too few', send({ params: ['Dana'] }), template(), ['steps[1].params']],
  ['a value too many', send({ params: ['a', 'b', 'c'] }), template(), ['steps[1].params']],
  [
    'a value where there is no variable',
    send({ params: ['a'] }),
    template({ params_count: 0 }),
    ['steps[1].params'],
  ],
  ['nothing where there is no variable', send(), template({ params_count: 0 }), []],
  ['names', send({ named_params: { name: 'Dana', time: '18:00' } }), NAMED, []],
  ['names in their order', send({ params: ['Dana', '18:00'] }), NAMED, []],
  ['a name too few', send({ named_params: { name: 'Dana' } }), NAMED, ['steps[1].named_params.time']],
  ['no name', send(), NAMED, ['steps[1].named_params.name', 'steps[1].named_params.time']],
  [
    'another name',
    send({ named_params: { name: 'Dana', time: '18:00', day: 'Monday' } }),
    NAMED,
    ['steps[1].named_params.day'],
  ],
  [
    'no picture',
    send({ params: ['a', 'b'] }),
    template({ header: { format: 'image' } }),
    ['steps[1].header'],
  ],
  [
    'no text of the header',
    send({ params: ['a', 'b'] }),
    template({ header: { format: 'text', text: 'For {{1}}' } }),
    ['steps[1].header'],
  ],
  [
    'a header that is whole',
    send({ params: ['a', 'b'] }),
    template({ header: { format: 'text', text: 'Ready' } }),
    [],
  ],
  [
    'no end of an address',
    send({ params: ['a', 'b'] }),
    template({ buttons: [CALL, URL_BUTTON] }),
    ['steps[1].buttons'],
  ],
  [
    'the end of an address',
    send({ params: ['a', 'b'], buttons: [{ type: 'url', index: 1, text: '17' }] }),
    template({ buttons: [CALL, URL_BUTTON] }),
    [],
  ],
  ['another language, which is not registered', send({ template_language: 'kk' }), template(), []],
  ['another template, which is not registered', send({ template_id: 'other' }), template(), []],
  ['another channel, where it is not registered', send({ channel: 'waba_coexistence' }), template(), []],
])('a step that gives %s', (_, step, registered, paths) => {
  expect(pathsOf(step, registered)).toEqual(paths);
});

it('a step is right where it fills the template of one of the numbers', () => {
  const other = template({ params_count: 1 });
  expect(pathsOf(send({ params: ['Dana'] }), template(), other)).toEqual([]);
  expect(pathsOf(send({ params: [] }), template(), other)).toEqual(['steps[1].params']);
});
