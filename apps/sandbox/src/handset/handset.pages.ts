import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartError } from '@app/contracts/start.error';
import type { CallRouter } from '../http/call.router';
import { answer } from '../http/json.answer';

const FOLDER = 'apps/sandbox/page';
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

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

/** The page is not TypeScript and not built. It is read from the source folder, wherever the built files are. */
function projectFolder(): string {
  for (let folder = __dirname; dirname(folder) !== folder; folder = dirname(folder))
    if (existsSync(join(folder, 'package.json'))) return folder;
  throw new StartError(`The sandbox finds no package.json above ${__dirname}: start it inside the project.`);
}
