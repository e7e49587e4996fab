import type { OtpType, TemplateButton } from '@app/contracts/template.words';
import type { TemplateDefinition } from './template-gateway.port';
import { violationsOfTemplate, parametersOf } from './template.rules';

const TEMPLATE: TemplateDefinition = {
  name: 'visit_reminder',
  language: 'ru',
  category: 'utility',
  parameterFormat: 'positional',
  header: null,
  body: 'Здравствуйте, {{1}}! Ждём вас {{2}}.',
  ...{ addSecurityRecommendation: false, codeExpirationMinutes: null },
  footer: null,
  buttons: [],
  examples: { body: ['Айгуль', '15:30'] },
};

const pathsOf = (change: Partial<TemplateDefinition>): string[] =>
  violationsOfTemplate('waba_coexistence', { ...TEMPLATE, ...change }).map(({ path }) => path);

const reply = (text = 'Yes'): TemplateButton => ({ type: 'quick_reply', text });
const link = (url: string): TemplateButton => ({ type: 'url', text: 'Open', url });
const call = (phone: string): TemplateButton => ({ type: 'phone_number', text: 'Call', phone_number: phone });
const code = (text: string): TemplateButton => ({ type: 'copy_code', text });

const otp = (otp_type: OtpType = 'copy_code'): TemplateButton => ({ type: 'otp', text: '', otp_type });

/** WhatsApp writes the rest. */
const AUTHENTICATION: Partial<TemplateDefinition> = {
  ...{ category: 'authentication', body: '', examples: {}, buttons: [otp()] },
};

describe('a template is taken', () => {
  it.each<[string, Partial<TemplateDefinition>]>([
    ['as it is', {}],
    ['without variables', { body: 'Привет', examples: {} }],
    ['with a variable twice', { body: 'a {{1}} b {{1}} c {{2}} d' }],
    ['with names', { body: 'a {{first_name}} b {{day_2}} c', parameterFormat: 'named' }],
    ['with the longest body', { body: '☕'.repeat(1_024), examples: {} }],
    ['with single braces', { body: 'a {1} b }{ c', examples: {} }],
    ['with a header', { header: { format: 'text', text: 'x'.repeat(60) } }],
    [
      'with a variable in the header',
      { header: { format: 'text', text: 'For {{1}}' }, examples: { ...TEMPLATE.examples, header: 'Aida' } },
    ],
    ['with an image', { header: { format: 'image' } }],
    ['with a location', { header: { format: 'location' } }],
    ['with nothing but a one-time code', AUTHENTICATION],
    [
      'with a one-time code and all that may be with it',
      { ...AUTHENTICATION, addSecurityRecommendation: true, codeExpirationMinutes: 90 },
    ],
    ['with the longest footer', { footer: 'x'.repeat(60) }],
    ['with ten replies', { buttons: Array.from({ length: 10 }, () => reply()) }],
    [
      'with buttons of all types',
      {
        buttons: [
          ...[link('https://a.kz/x'), link('http://a.kz/{{1}}'), reply(), reply()],
          ...[call('+77010000001'), code('x'.repeat(20))],
        ],
      },
    ],
    ['in a language with a country', { language: 'pt_BR' }],
  ])('%s', (_, change) => {
    expect(pathsOf(change)).toEqual([]);
  });
});

describe('a template is refused', () => {
  it.each<[string, Partial<TemplateDefinition>, string[]]>([
    ['for capitals in its name', { name: 'Visit' }, ['name']],
    ['for a name that is too long', { name: 'x'.repeat(513) }, ['name']],
    ['for a language with a hyphen', { language: 'en-US' }, ['language']],
    ['for a body that is too long', { body: '☕'.repeat(1_025), examples: {} }, ['body']],
    ['for a gap in the numbers', { body: 'a {{1}} b {{3}} c' }, ['body']],
    ['for numbers from zero', { body: 'a {{0}} b {{1}} c', examples: { body: ['x'] } }, ['body']],
    ['for a name among numbers', { body: 'a {{1}} b {{name}} c', examples: { body: ['x'] } }, ['body']],
    [
      'for a number among names',
      { body: 'a {{1}} b {{name}} c', parameterFormat: 'named', examples: { body: ['x'] } },
      ['body'],
    ],
    ['for braces left open', { body: 'a {{1}} b {{2}} c {{3' }, ['body']],
    ['for empty braces', { body: 'a {{1}} b {{2}} c {{}} d' }, ['body']],
    ['for a variable at its start', { body: '{{1}} a {{2}} b' }, ['body']],
    ['for a variable at its end', { body: 'a {{1}} b {{2}}\n' }, ['body']],
    ['for two variables side by side', { body: 'a {{1}}{{2}} b' }, ['body']],
    ['for a missing sample', { examples: { body: ['x'] } }, ['examples.body']],
    ['for a sample too many', { examples: { body: ['x', 'y', 'z'] } }, ['examples.body']],
    ['for a header that is too long', { header: { format: 'text', text: 'x'.repeat(61) } }, ['header.text']],
    ['for two variables in the header', { header: { format: 'text', text: '{{1}} {{2}}' } }, ['header.text']],
    ['for {{2}} in the header', { header: { format: 'text', text: 'a {{2}}' } }, ['header.text']],
    ['for no sample of the header', { header: { format: 'text', text: 'a {{1}}' } }, ['examples.header']],
    [
      'for words and parts of its own when it authenticates',
      {
        ...{
          ...AUTHENTICATION,
          parameterFormat: 'named',
          header: { format: 'location' },
          body: 'Your code: {{1}}.',
        },
        ...{ footer: 'Harbour', examples: { header: 'x', body: ['1'] } },
      },
      ['parameter_format', 'header', 'body', 'footer', 'examples'],
    ],
    ['for no code', { ...AUTHENTICATION, buttons: [] }, ['buttons']],
    ['for another button than the code', { ...AUTHENTICATION, buttons: [reply()] }, ['buttons']],
    ['for a button beside the code', { ...AUTHENTICATION, buttons: [otp(), reply()] }, ['buttons']],
    ['for two codes', { ...AUTHENTICATION, buttons: [otp(), otp()] }, ['buttons', 'buttons']],
    ...(['one_tap', 'zero_tap'] as const).map((type): [string, Partial<TemplateDefinition>, string[]] => [
      `for a code that an app takes (${type})`,
      { ...AUTHENTICATION, buttons: [otp(type)] },
      ['buttons[0].otp_type'],
    ]),
    ['for 91 minutes', { ...AUTHENTICATION, codeExpirationMinutes: 91 }, ['code_expiration_minutes']],
    [
      'for parts of authentication without it',
      { addSecurityRecommendation: true, codeExpirationMinutes: 5, buttons: [otp()] },
      ['add_security_recommendation', 'code_expiration_minutes', 'buttons[0].type'],
    ],
    ['for a footer that is too long', { footer: 'x'.repeat(61) }, ['footer']],
    ['for a variable in the footer', { footer: 'a {{1}} b' }, ['footer']],
    ['for eleven buttons', { buttons: Array.from({ length: 11 }, () => reply()) }, ['buttons', 'buttons']],
    ['for a long label', { buttons: [reply(), reply('x'.repeat(26))] }, ['buttons[1].text']],
    ['for a long code', { buttons: [code('x'.repeat(21))] }, ['buttons[0].text']],
    ['for three addresses', { buttons: [1, 2, 3].map((n) => link(`https://a.kz/${n}`)) }, ['buttons']],
    ['for two phones', { buttons: [call('+77010000001'), call('+77010000002')] }, ['buttons']],
    ['for a phone that is none', { buttons: [call('call me')] }, ['buttons[0].phone_number']],
    ['for an address that is none', { buttons: [link('javascript:alert(1)')] }, ['buttons[0].url']],
    ['for a variable within an address', { buttons: [link('https://a.kz/{{1}}/x')] }, ['buttons[0].url']],
    ['for a long address', { buttons: [link(`https://a.kz/${'x'.repeat(2_000)}`)] }, ['buttons[0].url']],
    ['for a button between replies', { buttons: [reply(), link('https://a.kz'), reply()] }, ['buttons']],
  ])('%s', (_, change, paths) => {
    expect(pathsOf(change)).toEqual(paths);
  });

  it('for a name that Gupshup alone finds too long', () => {
    const template = { ...TEMPLATE, name: 'x'.repeat(181) };
    expect(violationsOfTemplate('waba', template).map(({ path }) => path)).toEqual(['name']);
    expect(violationsOfTemplate('waba_coexistence', template)).toEqual([]);
  });
});

describe('the parameters of a body', () => {
  it('are its distinct variables, with their names in the order of their first occurrence', () => {
    expect(parametersOf('a {{b}} c {{a}} d {{b}}', 'named')).toEqual({ count: 2, names: ['b', 'a'] });
    expect(parametersOf('a {{2}} b {{1}} c {{2}}', 'positional')).toEqual({ count: 2, names: [] });
    expect(parametersOf('nothing', 'positional')).toEqual({ count: 0, names: [] });
  });
});
