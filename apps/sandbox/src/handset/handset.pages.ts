import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallRouter } from '../http/call.router';
import { answer } from '../http/json.answer';
import { projectFolder } from '../project.folder';

const FOLDER = 'apps/sandbox/page';
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const FILES = [
  { path: /^\/handset\/?$/, file: 'handset.html', type: 'text/html' },
  { path: /^\/handset\/handset\.css$/, file: 'handset.css', type: 'text/css' },
  { path: /^\/handset\/handset\.js$/, file: 'handset.js', type: 'text/javascript' },
];

/** Serves the handset's page from memory. */
export function addHandsetPages(router: CallRouter): void {
  const folder = join(projectFolder(), FOLDER);
  for (const { path, file, type } of FILES) {
    const body = readFileSync(join(folder, file), 'utf8');
    const headers = {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': PAGE_POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    };
    router.on('GET', path, ({ response }) => answer(response, { status: 200, body, headers }));
  }
  router.on('GET', /^\/favicon\.ico$/, ({ response }) => answer(response, { status: 204, body: '' }));
  router.on('GET', /^\/$/, ({ response }) =>
    answer(response, { status: 302, body: '', headers: { location: '/handset' } }),
  );
}
