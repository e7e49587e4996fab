/**
 * Writes the types of the HTTP client, their names and the table of operations from the OpenAPI document. With --check it
 * writes nothing, and fails where a file is not what the document gives.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import openapiTypes, { astToString } from 'openapi-typescript';
import { format } from 'oxfmt';
import { operationTable } from './operation-table.mjs';

const DOCUMENT = 'test/snapshots/openapi.json';
const TYPES = 'libs/client/src/openapi-types.ts';
const NAMES = 'libs/client/src/api-types.ts';
const TABLE = 'libs/client/src/operation-table.ts';
const FORMAT = JSON.parse(readFileSync('.oxfmtrc.json', 'utf8'));
const HEAD = `// Written by \`npm run client\` from ${DOCUMENT}. Do not edit.\n\n`;

/** Words for people stand in the document; in the types they would be nine tenths of the file. */
const WORDS = new Set(['description', 'summary', 'example', 'examples', 'title']);

/** @param isNames whether the keys are names of fields, among which each of WORDS may be */
function withoutWords(value, isNames = false) {
  if (Array.isArray(value)) return value.map((each) => withoutWords(each));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, each]) => isNames || !WORDS.has(key) || typeof each === 'boolean')
      .map(([key, each]) => [
        key,
        withoutWords(each, !isNames && (key === 'properties' || key === 'schemas')),
      ]),
  );
}

/** Failures have one shape, which the client turns into an error. */
function withoutFailures(document) {
  for (const operations of Object.values(document.paths))
    for (const operation of Object.values(operations))
      for (const status of Object.keys(operation.responses ?? {}))
        if (!status.startsWith('2')) delete operation.responses[status];
  return document;
}

/** The schemas of the document, each by its own name. */
const namesOf = ({ components }) => `import type { components } from './openapi-types';

/** What the operations take and answer, by the names of the OpenAPI document. */
type Schemas = components['schemas'];

${Object.keys(components.schemas)
  .sort()
  .map((name) => `export type ${name} = Schemas['${name}'];\n`)
  .join('')}`;

/** Writes a file, or says that it is another one. */
async function put(path, source) {
  const { code: text } = await format(path, HEAD + source, FORMAT);
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    console.error(`${path} is not what ${DOCUMENT} gives: run npm run client`);
    process.exitCode = 1;
  }
}

const given = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
await put(NAMES, namesOf(given));
await put(TABLE, operationTable(given));
const document = withoutFailures(withoutWords(given));
// What has a default may be left out of a request; answers name what they always have.
const types = await openapiTypes(document, { alphabetize: true, defaultNonNullable: false });
await put(TYPES, astToString(types));
