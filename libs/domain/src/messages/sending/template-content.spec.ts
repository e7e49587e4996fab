import { OTP_TYPES, type TemplateButton } from '@app/contracts/template.words';
import { contentFor, textFor, type TemplateChoice, type TemplateRecipient } from './template-content';

const TEXT_MAX = 4_096;
const LONG = '💬'.repeat(16_384);

const choice = (body: string | null, buttons: TemplateButton[] = []): TemplateChoice => ({
  templateId: 'visit',
  language: 'ru',
  registered:
    body === null
      ? null
      : {
          name: 'visit',
          provider_id: null,
          body,
          parameter_format: 'positional',
          param_names: [],
          header: null,
          buttons,
        },
});

const shown = (body: string | null, params: string[]): string =>
  textFor(choice(body), { type: 'template', name: 'visit', language: 'ru', params });

describe('the text that a dialog shows of a template', () => {
  it('is the body with its values, in whatever order it has them', () => {
    expect(shown('{{2}} before {{ 1 }}, {{2}} after', ['a', 'b'])).toBe('b before a, b after');
  });

  it('leaves a variable without a value as it is', () => {
    expect(shown('Hello {{1}}, at {{2}}.', ['Aida'])).toBe('Hello Aida, at {{2}}.');
  });

  it('is the name and the values where the template is not registered', () => {
    expect([shown(null, ['a', 'b']), shown(null, [])]).toEqual(['visit: a, b', 'visit']);
  });

  it('is whole up to the longest that WhatsApp takes', () => {
    const value = 'x'.repeat(TEXT_MAX - 2);
    expect(shown('a{{1}}b', [value])).toBe(`a${value}b`);
  });

  it.each([
    ['a body that repeats a value', '!{{1}}'.repeat(170)],
    ['a body that is long itself', `${'я'.repeat(5_000)}{{1}}`],
    ['a hundred values of no registered template', null],
  ])('is cut at a whole character beyond that: %s', (_, body) => {
    const text = shown(
      body,
      Array.from({ length: 100 }, () => LONG),
    );
    expect(text.length).toBeGreaterThanOrEqual(TEXT_MAX - 1);
    expect(text.length).toBeLessThanOrEqual(TEXT_MAX);
    expect([text.isWellFormed(), text.at(-1)]).toEqual([true, '…']);
  });
});

describe('the code of an authentication template', () => {
  const otp: TemplateButton = { type: 'otp', text: 'Copy code', otp_type: 'copy_code' };
  const buttonsOf = (to: Partial<TemplateRecipient>, buttons: TemplateButton[]) =>
    contentFor(
      choice('*{{1}}* is your code.', buttons),
      { address: '+77015551001', contact: '77015551001', params: ['482913'], ...to },
      false,
    ).buttons;

  it('is in its button too', () => {
    for (const otp_type of OTP_TYPES)
      expect(buttonsOf({}, [{ ...otp, otp_type }])).toEqual([{ type: 'url', index: 0, text: '482913' }]);
  });

  it('is not put where the caller gives the button a value, or gives no code', () => {
    const given = [{ type: 'url' as const, index: 0, text: '1' }];
    expect([buttonsOf({ buttons: given }, [otp]), buttonsOf({ params: [] }, [otp])]).toEqual([
      given,
      undefined,
    ]);
  });

  it('is put into no other button', () => {
    const link: TemplateButton = { type: 'url', text: 'Map', url: 'https://a.kz/{{1}}' };
    expect(buttonsOf({}, [link])).toBeUndefined();
  });
});

describe('the variables of a template that is registered with names', () => {
  const named = (header: string | null, names: string[] = []): TemplateChoice => ({
    templateId: 'sale',
    language: 'en',
    registered: {
      ...{
        name: 'sale_v1',
        provider_id: 'p1',
        body: 'Until {{day}}.',
        parameter_format: 'named',
        buttons: [],
      },
      param_names: names,
      header: header === null ? null : { format: 'text', text: header },
    },
  });
  const to: TemplateRecipient = { address: '+77015551001', contact: '77015551001', params: [] };
  const text = { type: 'text', text: 'Aida' } as const;

  it('go under their names: those of the body, and the one of the header', () => {
    const recipient = { ...to, header: text, namedParams: { day: 'Monday' } };
    expect(contentFor(named('For {{ who }}', ['day']), recipient, false)).toEqual({
      ...{ type: 'template', name: 'sale_v1', language: 'en', params: ['Monday'], paramNames: ['day'] },
      header: { ...text, name: 'who' },
    });
    expect(contentFor(named(null, ['day']), { ...to, params: ['Monday'] }, true)).toMatchObject({
      ...{ name: 'p1', params: ['Monday'], paramNames: ['day'] },
    });
  });

  it('have the name that the caller gives where the template is not registered, and none where they are numbered', () => {
    const unregistered = { ...choice(null), templateId: 'elsewhere' };
    const byCaller = { ...to, header: { ...text, name: 'who' } };
    expect(contentFor(unregistered, byCaller, false)).toMatchObject({
      ...{ name: 'elsewhere', header: byCaller.header },
    });
    expect(contentFor(choice('Hello'), { ...to, header: text }, false)).toMatchObject({ header: text });
    expect(contentFor(named('No variable'), { ...to, header: text }, false).header).toEqual(text);
  });
});
