import fc from 'fast-check';
import {
  dateAndTime,
  render,
  renderDeep,
  VARIABLE_NAMES,
  violationsDeep,
  violationsOfText,
  type VariableValues,
} from './step-variables';

const values: VariableValues = {
  'lead.name': 'Анна',
  'lead.phone': '77010000001',
  'status.name': 'Оплачено',
  'assistant.name': 'Лея',
  date: '23.11.2026',
  time: '10:05',
};

const without = (...names: (keyof VariableValues)[]): VariableValues => ({
  ...values,
  ...Object.fromEntries(names.map((name) => [name, null])),
});

describe('violationsOfText', () => {
  it.each([
    ['no variables', 'Спасибо за заказ!'],
    ['an empty text', ''],
    ['every variable', VARIABLE_NAMES.map((name) => `{{${name}}}`).join(' ')],
    ['a fallback', 'Здравствуйте, {{lead.name|клиент}}!'],
    ['an empty fallback', 'Здравствуйте{{lead.name|}}!'],
    ['a fallback with a bar', '{{lead.name|a|b}}'],
    ['blanks about the name', '{{ lead.name }} {{ lead.name | клиент }}'],
    ['braces about a variable', '{{{lead.name}}}'],
    ['single braces about a variable', '{{{date}}{'],
    ['lone braces', 'a } b { c }} d {"a":{"b":1}}'],
  ])('has none for a text with %s', (_, text) => {
    expect(violationsOfText(text, 'text')).toEqual([]);
  });

  it.each([
    ['an unknown variable', 'Hi {{lead.email}}', '{{lead.email}}'],
    ["a template's own variable", 'Hi {{1}}', '{{1}}'],
    ['another letter case', 'Hi {{Lead.name}}', '{{Lead.name}}'],
    ['a fallback of an unknown one', 'Hi {{name|you}}', '{{name}}'],
    ['a name with a blank within', 'Hi {{lead. name}}', '{{lead. name}}'],
    ['no name', 'Hi {{}}', '{{}}'],
    ['what every object has', 'Hi {{constructor}}', '{{constructor}}'],
  ])('has one for %s', (_, text, named) => {
    const violations = violationsOfText(text, 'steps[3].text');
    expect(violations).toHaveLength(1);
    expect(violations[0]!.path).toBe('steps[3].text');
    expect(violations[0]!.message).toContain(`unknown variable ${named}:`);
  });

  it.each(['{{lead.name', '{{lead.name}', '{{ {lead.name} }}', '{{lead.name|{x}}}', 'a {{ b'])(
    'has one for braces that hold no variable: %s',
    (text) => {
      expect(violationsOfText(text, 'text')).toEqual([
        { path: 'text', message: expect.stringContaining('without a variable') as string },
      ]);
    },
  );

  it('names each unknown variable once, and no more of it than fits a line', () => {
    expect(violationsOfText('{{a}} {{b}} {{a}} {{lead.name}}', 'text')).toHaveLength(2);
    const many = Array.from({ length: 500 }, (_, index) => `{{v${index}}}`).join('');
    expect(violationsOfText(many, 'text')).toHaveLength(5);
    expect(violationsOfText(`{{${'x'.repeat(4_000)}}}`, 'text')[0]!.message.length).toBeLessThan(250);
  });
});

describe('violationsDeep', () => {
  it('has the path of each value; keys are no texts', () => {
    const body = { a: ['{{x}}', 'fine', { b: '{{lead.name}} {{y}}' }], '{{z}}': 1, n: null, t: true };
    expect(violationsDeep(body, 'steps[0].body').map(({ path }) => path)).toEqual([
      'steps[0].body.a[0]',
      'steps[0].body.a[2].b',
    ]);
    expect(violationsDeep('{{x}}', 'steps[0].body').map(({ path }) => path)).toEqual(['steps[0].body']);
  });
});

describe('render', () => {
  it('replaces variables, as often as they occur', () => {
    const text =
      '{{lead.name}}, {{ date }} {{time}}: {{status.name}} ({{lead.phone}}, {{assistant.name}}) {{lead.name}}';
    const value = 'Анна, 23.11.2026 10:05: Оплачено (77010000001, Лея) Анна';
    expect(render(text, values)).toEqual({ value });
  });

  it('takes the fallback where the value is empty, and only there', () => {
    const text = 'Здравствуйте, {{lead.name| дорогой клиент }}!';
    expect(render(text, values)).toEqual({ value: 'Здравствуйте, Анна!' });
    expect(render(text, without('lead.name'))).toEqual({ value: 'Здравствуйте, дорогой клиент!' });
    expect(render(text, { ...values, 'lead.name': ' \n' })).toEqual({
      value: 'Здравствуйте, дорогой клиент!',
    });
    expect(render('Hi{{lead.name|}}!', without('lead.name'))).toEqual({ value: 'Hi!' });
  });

  it('names the variable that is empty and has no fallback, and makes no text', () => {
    expect(render('{{lead.name|you}} {{status.name}}', without('lead.name', 'status.name'))).toEqual({
      empty: 'status.name',
    });
  });

  it.each(['{{date}}', '{{lead.phone}}', '$&', '$1', '{{lead.name}}', '}} {{'])(
    'takes a value as data: a name %s stays as it is',
    (name) => {
      expect(render('<{{lead.name}}>', { ...values, 'lead.name': name })).toEqual({ value: `<${name}>` });
    },
  );

  it('makes one blank of white space within a value', () => {
    const name = ' Анна\n\tМария    К. ';
    expect(render('<{{lead.name}}>', { ...values, 'lead.name': name })).toEqual({ value: '<Анна Мария К.>' });
  });

  it('encodes values as it is told to, and neither the text nor fallbacks', () => {
    const text = 'https://crm.example/?q={{lead.name}}&city={{status.name|a/b}}';
    const some = { ...values, 'lead.name': 'a&b=c/é', 'status.name': null };
    expect(render(text, some, encodeURIComponent)).toEqual({
      value: 'https://crm.example/?q=a%26b%3Dc%2F%C3%A9&city=a/b',
    });
  });

  it('makes half an emoji a character that can be sent', () => {
    const halved = { ...values, 'lead.name': 'Анна \ud83d' };
    expect(render('{{lead.name}}', halved)).toEqual({ value: 'Анна \ufffd' });
    expect(() => render('{{lead.name}}', halved, encodeURIComponent)).not.toThrow();
  });

  it('leaves a text without variables as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!text.includes('{{'));
        expect(render(text, without(...VARIABLE_NAMES))).toEqual({ value: text });
      }),
    );
  });

  it('leaves no variable in a text that has no violations', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '{{',
        '}}',
        '{',
        '}',
        '|',
        ' ',
        'x',
        'lead.name',
        'date',
        '{{time}}',
        '{{lead.name|y}}',
      ),
      fc.constantFrom(...VARIABLE_NAMES.map((name) => `{{${name}}}`)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        fc.pre(violationsOfText(text, 'text').length === 0);
        const rendered = render(text, values);
        expect('value' in rendered && rendered.value.includes('{{')).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('renderDeep', () => {
  it('replaces variables in every text, and leaves keys and other values', () => {
    const body = { name: '{{lead.name}}', '{{date}}': [1, null, true, ['{{time}}', 'x']] };
    expect(renderDeep(body, values)).toEqual({
      value: { name: 'Анна', '{{date}}': [1, null, true, ['10:05', 'x']] },
    });
    expect(body.name).toBe('{{lead.name}}');
    expect(renderDeep(null, values)).toEqual({ value: null });
    expect(renderDeep(['{{lead.name}}'], values)).toEqual({ value: ['Анна'] });
  });

  it('names the first variable that is empty', () => {
    const body = { a: '{{lead.name|you}}', b: ['{{status.name}}'], c: '{{lead.name}}' };
    expect(renderDeep(body, without('lead.name', 'status.name'))).toEqual({ empty: 'status.name' });
  });

  it('takes keys that objects have by themselves', () => {
    const body = JSON.parse('{ "__proto__": { "a": "{{time}}" }, "constructor": "{{date}}" }') as object;
    const rendered = renderDeep(body, values);
    expect(JSON.stringify(rendered)).toBe('{"value":{"__proto__":{"a":"10:05"},"constructor":"23.11.2026"}}');
  });
});

describe('dateAndTime', () => {
  it.each([
    ['Asia/Almaty', '2026-12-31T19:00:59.999Z', '01.01.2027', '00:00'],
    ['America/New_York', '2026-12-31T19:00:59.999Z', '31.12.2026', '14:00'],
    ['Asia/Kathmandu', '2028-02-29T00:00:00Z', '29.02.2028', '05:45'],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', '29.03.2026', '03:00'],
  ])('shows the wall clock of %s', (timezone, at, date, time) => {
    expect(dateAndTime(new Date(at), timezone)).toEqual({ date, time });
  });
});
