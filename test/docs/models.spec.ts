import { MODEL_FAMILIES } from '../support/stand-ins/model.families';
import { readPages } from './markdown.document';

it('lists on the page about models every answer that is tried', () => {
  const page = readPages().find(({ path }) => path === 'docs/running/models.md');
  const answers = page?.text.split('## Answers')[1]?.split('\n## ')[0] ?? '';
  const listed = [...answers.matchAll(/^\| (?!Server)(.+) \| (?:\[.+\]\((.+)\)|(.+)) \|$/gm)];
  const rows = listed.map(([, of, address, words]) => `${of}: ${address ?? words}`);
  expect(rows.sort()).toEqual(MODEL_FAMILIES.map(({ of, from }) => `${of}: ${from}`).sort());
});
