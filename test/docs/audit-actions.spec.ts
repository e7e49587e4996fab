import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATIONS } from '@app/domain/accounts/access-table';
import { AUDIT_ACTIONS } from '@app/domain/audit/audit-actions';
import { ROOT } from './markdown.document';

/** Operations without entries: they read, or are not an admin's. */
const READS = /\.(list|list_\w+|get|get_\w+|me|open|read|try)$/;
const OF_DIALOGS = /^(lead|board|presence|message|media|batch|template\.list|template\.get_figures)\b/;
/** Signing out is the end of a session; giving the password again changes nothing that is audited. */
const OTHERS = ['session.sign_out', 'session.confirm', 'thread.list'];

it('the page about the audit has a table of every action, and of no other', () => {
  const page = readFileSync(join(ROOT, 'docs/running/audit.md'), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| `[a-z_]+\.[a-z_]+`/.test(line));
  const told = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  expect([...told].sort()).toEqual([...AUDIT_ACTIONS].sort());
});

it('every operation that changes what an admin governs has an action', () => {
  const operations = Object.keys(OPERATIONS).filter(
    (name) => !READS.test(name) && !OF_DIALOGS.test(name) && !OTHERS.includes(name),
  );
  expect(AUDIT_ACTIONS).toEqual(expect.arrayContaining(operations));
});
