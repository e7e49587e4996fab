import { demoId } from '@app/contracts/demo-ids';
import { readPages } from '../../../../test/docs/markdown.document';
import { phoneOfDialog } from '../seed/demo-funnels';
import { SCENES } from './life-cast';

const SEEDED = 40;
/** docs/running/demo.md names the exception. */
const EXCEPTION = phoneOfDialog(14);

it('leaves alone the dialogs that the documentation names', () => {
  const told = readPages()
    .map(({ text }) => text)
    .join('\n');
  const named = Array.from({ length: SEEDED }, (_, index) => index + 1).filter(
    (n) => told.includes(phoneOfDialog(n)) || told.includes(demoId('thread', n)),
  );
  expect(named.length).toBeGreaterThan(10);
  const cast = SCENES.flatMap((scene) => scene.cast.map(({ phone }) => phone));
  const both = named.map(phoneOfDialog).filter((phone) => cast.includes(phone));
  expect(both).toEqual([EXCEPTION]);
});

it('has few newcomers beside the seeded customers', () => {
  const all = SCENES.flatMap(({ cast }) => cast);
  const newcomers = all.filter(({ newcomer }) => newcomer !== undefined);
  expect(newcomers.length).toBeLessThan(all.length / 3);
});
