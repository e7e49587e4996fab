import { contactOf } from './phone.words';

describe('the address that a dialog is found by', () => {
  it.each([
    ['+5511987654321', '+551187654321'],
    ['+5215512345678', '+525512345678'],
    ['+5491123456789', '+541123456789'],
  ])('is one for both forms of a number: %s', (dialled, shorter) => {
    expect(contactOf(dialled)).toBe(contactOf(shorter));
    expect(contactOf(shorter)).toBe(shorter);
  });

  it('is the same when it is folded again', () => {
    for (const phone of ['+5511987654321', '+5215512345678', '+5491123456789']) {
      expect(contactOf(contactOf(phone))).toBe(contactOf(phone));
    }
  });

  it.each([
    ['+77010000001', 'another country'],
    ['+55119876543', 'Brazil, too short for a ninth digit'],
    ['+5511387654321', 'Brazil, another digit in its place'],
    ['+52155123456', 'Mexico, too short'],
    ['+54911234567', 'Argentina, too short'],
    ['+15491123456789', 'the digits of a country inside a number'],
  ])('is the number itself otherwise: %s, %s', (phone) => {
    expect(contactOf(phone)).toBe(phone);
  });
});
