import { MODEL_FAMILIES } from '../support/stand-ins/model.families';
import { readPages } from './markdown.document';

it('lists on the page about models every answer that is tried', () => {
  const page = readPages().find(({ path }) => path === 'docs/running/models.md');
  const answers = page?.text.split('## Answers')[1]?.split('\n## ')[0] ?? '';
  const listed = answers.match(/^\| (?!Server|---).+(?= \|$)/gm)?.map((row) => row.slice(2)) ?? [];
  expect(listed.sort()).toEqual(MODEL_FAMILIES.map(({ of }) => of).sort());
});
