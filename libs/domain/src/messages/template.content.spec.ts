import { textFor, type TemplateChoice } from './template.content';

const TEXT_MAX = 4_096;
const LONG = '💬'.repeat(16_384);

const choice = (body: string | null): TemplateChoice => ({
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
