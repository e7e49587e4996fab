import { checkRows } from './recipients/recipient-check';
import { filledIn, recipientOf, slotsOf } from '../../shared/template/slot.rules';
import { readMarks, type TextPiece } from '../../shared/template/template-preview.view';

type Template = Parameters<typeof slotsOf>[0];

const template = (fields: Partial<Template>): Template => ({
  ...{ header: null, body: '', footer: null, buttons: [] },
  ...fields,
});

describe('the values of a template', () => {
  it('are asked for once, and go out by their numbers', () => {
    const given = template({ body: '{{2}}, {{1}} и снова {{2}}' });
    const slots = slotsOf(given);
    expect(slots.map(({ name }) => name)).toEqual(['1', '2']);
    expect(recipientOf(given, slots, { phone: '+7' }, ['завтра', 'Алия'])).toEqual({
      ...{ phone: '+7', params: ['завтра', 'Алия'] },
    });
    expect(filledIn(given, slots, ['', 'Алия']).body).toBe('Алия, {{1}} и снова Алия');
  });

  it('go out by their names, in the heading too', () => {
    const given = template({
      ...{ header: { format: 'text', text: 'Заказ {{order}}' }, body: '{{first_name}}' },
    });
    expect(recipientOf(given, slotsOf(given), { phone: '+7' }, ['42', 'Алия'])).toEqual({
      ...{ phone: '+7', named_params: { first_name: 'Алия' } },
      header: { type: 'text', text: '42', name: 'order' },
    });
    const numbered = template({ header: { format: 'text', text: '{{1}}' }, body: 'Да' });
    expect(recipientOf(numbered, slotsOf(numbered), { phone: '+7' }, ['42']).header).toEqual({
      type: 'text',
      text: '42',
    });
  });

  it('are what a file, a place and the buttons need', () => {
    const buttons: Template['buttons'] = [
      { type: 'quick_reply', text: 'Да' },
      { type: 'url', text: 'Заказ', url: 'https://a.b/{{1}}' },
      { type: 'copy_code', text: 'Код' },
    ];
    const picture = template({ header: { format: 'image' }, buttons });
    expect(
      recipientOf(picture, slotsOf(picture), { phone: '+7' }, ['https://a.b/c.png', '42', 'X1']),
    ).toEqual({
      phone: '+7',
      header: { type: 'image', link: 'https://a.b/c.png' },
      buttons: [
        { type: 'url', index: 1, text: '42' },
        { type: 'copy_code', index: 2, code: 'X1' },
      ],
    });
    const code = template({
      body: '*{{1}}* is it',
      buttons: [{ type: 'otp', text: '', otp_type: 'copy_code' }],
    });
    expect(slotsOf(code)).toMatchObject([{ part: 'body', field: 'code' }]);
    expect(recipientOf(code, slotsOf(code), { phone: '+7' }, ['482913'])).toEqual({
      phone: '+7',
      params: ['482913'],
    });
    const form = template({
      header: { format: 'other' },
      buttons: [
        { type: 'other', text: 'Book' },
        { type: 'url', text: 'Map', url: 'https://a.b/{{1}}' },
      ],
    });
    expect(recipientOf(form, slotsOf(form), { phone: '+7' }, ['42'])).toEqual({
      ...{ phone: '+7', buttons: [{ type: 'url', index: 1, text: '42' }] },
    });
    const place = template({ header: { format: 'location' } });
    expect(recipientOf(place, slotsOf(place), { phone: '+7' }, ['43.2', '76.9', 'Арбат', '']).header).toEqual(
      {
        ...{ type: 'location', latitude: '43.2', longitude: '76.9', name: 'Арбат' },
      },
    );
  });
});

it.each([
  ['43.238949', '-76.9', 0],
  ['90', '180', 0],
  ['43,238949', '76.889709', 1],
  ['90.1', '180.5', 2],
  ['43°14', 'east', 2],
])('a place must be one, in degrees: %s, %s', (latitude, longitude, faults) => {
  const place = { ...template({ header: { format: 'location' } }), template_id: 'place' };
  const rows = [{ row: 1, phone: '+77015551010', name: null, values: [latitude, longitude, '', ''] }];
  const [checked] = checkRows(rows, place as never, slotsOf(place), null);
  expect(checked?.faults.map(({ kind }) => kind)).toEqual(Array.from({ length: faults }, () => 'degrees'));
});

const marked = (piece: TextPiece): string =>
  typeof piece === 'string' ? piece : `<${piece.mark}>${piece.inside.map(marked).join('')}</>`;

it.each([
  ['*a* b_c_d _e_', '<bold>a</> b_c_d <italic>e</>'],
  ['2*3*4 ~x~', '2*3*4 <struck>x</>'],
  ['```a *b*\n> c```', '<code>a *b*\n> c</>'],
  ['`a *b*`', '<code>a *b*</>'],
  ['*a _b_*', '<bold>a <italic>b</></>'],
  ['a * b *', 'a * b *'],
  ['**a**', '*<bold>a</>*'],
  ['*a\nb*', '*a\nb*'],
  ['a\n> *b*\n- c\n* d', 'a\n<quote><bold>b</></>\n<item>c</>\n<item>d</>'],
  ['a > b - c', 'a > b - c'],
])('a text is styled as WhatsApp does: %j', (text, expected) => {
  expect(readMarks(text).map(marked).join('')).toBe(expected);
});
