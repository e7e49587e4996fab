import { HandOffPermission } from './hand-off.permission';

it.each([
  [0, true],
  [450, true],
  [500, false],
  [10_000, false],
])('a permission that was asked for %i ms ago is valid: %s', (ago, valid) => {
  expect(new HandOffPermission(performance.now() - ago, () => undefined).isValid()).toBe(valid);
});

it('a permission that is used says so', () => {
  const onUse = jest.fn();
  const permission = new HandOffPermission(performance.now(), onUse);
  permission.isValid();
  expect(onUse).not.toHaveBeenCalled();
  permission.used();
  expect(onUse).toHaveBeenCalledTimes(1);
});
