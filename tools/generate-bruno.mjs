/**
 * Writes the Bruno collection from the OpenAPI document: a folder for each tag, a request for each operation. With --check
 * it writes nothing, and fails where a file is not what the document gives.
 */
import lang from '@usebruno/lang';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import samples from './openapi.samples.js';

const DOCUMENT = 'test/snapshots/openapi.json';
const COLLECTION = 'docs/integrators/bruno';
const ABOUT = `Choose the environment Demo at the top right, and fill in its secrets: README.md says where they stand.
Requests of "Sign-in" and after them need a session: run sign-in first, it keeps the session and its token.`;

/** A header that each operation takes; the collection sends none. */
const EVERYWHERE = 'X-Request-Id';

/** What the document's example cannot know: who signs in, and what a request before has made. */
const BODIES = {
  signIn: { email: '{{email}}', password: '{{password}}' },
  getImport: { import_id: '{{import_id}}' },
  cancelImport: { import_id: '{{import_id}}' },
};
const kept = (name) => [{ name, value: `res.body.data.${name}`, enabled: true }];
/** What later requests need of an answer. */
const KEPT = { signIn: kept('csrf_token'), importLeads: kept('import_id') };

const slug = (words) =>
  words
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll(/\W+/g, '-')
    .toLowerCase();

/** Who calls: by a key, by a session, or anybody. */
function credentials({ security = [] }) {
  const [way = {}] = security;
  const key = { ApiKey: '{{api_key}}', AdminKey: '{{admin_key}}' }[Object.keys(way)[0]];
  if (key) return { mode: 'apikey', auth: { apikey: { key: 'X-API-Key', value: key, placement: 'header' } } };
  return { mode: 'none', auth: {} };
}

function headersOf({ security = [], parameters = [], operationId }) {
  const [way = {}] = security;
  // Pages send it by themselves.
  const isByBrowsers = 'Session' in way || operationId === 'signIn' || operationId === 'acceptInvitation';
  return [
    ...(isByBrowsers ? [{ name: 'Origin', value: '{{base_url}}', enabled: true }] : []),
    ...('CsrfToken' in way ? [{ name: 'X-CSRF-Token', value: '{{csrf_token}}', enabled: true }] : []),
    // A new one each time, for whoever takes it in.
    ...parameters
      .filter((parameter) => parameter.in === 'header' && parameter.name !== EVERYWHERE)
      .map(({ name }) => ({ name, value: '{{$guid}}', enabled: false })),
  ];
}

const takesForm = (operation) => operation.requestBody?.content['multipart/form-data'] !== undefined;

function bodyOf(operation, document) {
  if (takesForm(operation)) return formOf(operation, document);
  const [[, first]] = samples.bodiesOf(operation, document);
  const sample = BODIES[operation.operationId] ?? first;
  if (sample === undefined) return { mode: 'none', body: {} };
  return { mode: 'json', body: { json: JSON.stringify(sample, null, 2) } };
}

/** Where a file to be sent lies in the collection. */
const placeOf = ({ name }) => `files/${name}`;

function formOf(operation, document) {
  const fields = samples.formOf(operation, document).map(({ name, required, file, text }) => ({
    ...(file ? { type: 'file', name, value: [placeOf(file)] } : { type: 'text', name, value: text }),
    enabled: required,
  }));
  return { mode: 'multipartForm', body: { multipartForm: fields } };
}

function requestOf({ method, path, seq, operation }, document) {
  const parameters = operation.parameters ?? [];
  const { mode, body } = bodyOf(operation, document);
  const { mode: authMode, auth } = credentials(operation);
  return lang.jsonToBruV2({
    meta: { name: path.replace(/^\/(api\/v1\/)?/, ''), type: 'http', seq },
    http: { method, url: `{{base_url}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, body: mode, auth: authMode },
    params: parameters
      .filter((parameter) => ['path', 'query'].includes(parameter.in))
      .map((parameter) => ({
        ...{ name: parameter.name, value: samples.parameterOf(parameter), type: parameter.in },
        enabled: parameter.required === true,
      })),
    headers: headersOf(operation),
    ...{ auth, body },
    vars: { res: KEPT[operation.operationId] },
    docs: [operation.summary, operation.description].filter(Boolean).join('\n\n'),
  });
}

/** Every file of the collection, by its path. */
const isSignOut = ({ operation }) => operation.operationId === 'signOut';

function filesOf(document) {
  const files = new Map([
    ['bruno.json', JSON.stringify({ version: '1', name: 'Leadline', type: 'collection' }, null, 2)],
    ['collection.bru', lang.jsonToCollectionBru({ docs: ABOUT })],
    [
      'environments/Demo.bru',
      lang.envJsonToBruV2({
        variables: [
          { name: 'base_url', value: 'http://127.0.0.1:3000', enabled: true },
          { name: 'email', value: 'admin@harbour.example', enabled: true },
          ...['api_key', 'admin_key', 'password'].map((name) => ({ name, secret: true, enabled: true })),
        ],
      }),
    ],
  ]);
  for (const [index, { name }] of document.tags.entries()) {
    const folder = slug(name);
    files.set(`${folder}/folder.bru`, lang.jsonToCollectionBru({ meta: { name, seq: index + 1 } }));
    const operations = Object.entries(document.paths)
      .flatMap(([path, methods]) =>
        Object.entries(methods)
          .filter(([, operation]) => operation.tags[0] === name)
          .map(([method, operation]) => ({ method, path, operation })),
      )
      // Whoever sends a whole folder is signed in until its end.
      .toSorted((one, other) => Number(isSignOut(one)) - Number(isSignOut(other)));
    for (const { operation } of operations.filter((each) => takesForm(each.operation)))
      for (const { file } of samples.formOf(operation, document))
        if (file) files.set(placeOf(file), file.content);
    for (const [place, each] of operations.entries())
      files.set(
        `${folder}/${slug(each.operation.operationId)}.bru`,
        requestOf({ ...each, seq: place + 1 }, document),
      );
  }
  return files;
}

const files = filesOf(JSON.parse(readFileSync(DOCUMENT, 'utf8')));
const isOurs = (path) => !path.endsWith('.md');
const present = existsSync(COLLECTION)
  ? readdirSync(COLLECTION, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(COLLECTION.length + 1))
      .filter(isOurs)
  : [];
const superfluous = present.filter((path) => !files.has(path));
const textOf = (text) => `${text.trimEnd()}\n`;
const isRight = ([path, text]) =>
  present.includes(path) && readFileSync(join(COLLECTION, path), 'utf8') === textOf(text);
if (process.argv.includes('--check')) {
  const wrong = [...superfluous, ...[...files].filter((file) => !isRight(file)).map(([path]) => path)];
  if (wrong.length > 0) {
    console.error(`${COLLECTION} is not what ${DOCUMENT} gives: run npm run bruno (${wrong.join(', ')})`);
    process.exitCode = 1;
  }
} else {
  for (const path of superfluous) rmSync(join(COLLECTION, path));
  for (const [path, text] of files) {
    mkdirSync(join(COLLECTION, dirname(path)), { recursive: true });
    writeFileSync(join(COLLECTION, path), textOf(text));
  }
}
