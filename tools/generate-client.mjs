/**
 * Writes the types of the HTTP client from the OpenAPI document. With --check it writes nothing, and fails where the file
 * is not what the document gives.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTypes, { astToString } from 'openapi-typescript';
import prettier from 'prettier';

const DOCUMENT = 'test/snapshots/openapi.json';
const TYPES = 'libs/client/src/openapi.types.ts';
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

const document = withoutFailures(withoutWords(JSON.parse(readFileSync(DOCUMENT, 'utf8'))));
// What has a default may be left out of a request; answers name what they always have.
const given = await openapiTypes(document, { alphabetize: true, defaultNonNullable: false });
const written = HEAD + astToString(given);
const types = await prettier.format(written, { ...(await prettier.resolveConfig(TYPES)), filepath: TYPES });
if (!process.argv.includes('--check')) writeFileSync(TYPES, types);
else if (readFileSync(TYPES, 'utf8') !== types) {
  console.error(`${TYPES} is not what ${DOCUMENT} gives: run npm run client`);
  process.exitCode = 1;
}
