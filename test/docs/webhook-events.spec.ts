import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RETRY_TIMES } from '@app/domain/webhooks-out/retry.schedule';
import Ajv from 'ajv/dist/2020';
import { WEBHOOKS } from '../../apps/server/src/docs/webhook.documentation';
import { readPages, ROOT } from './markdown.document';

const page = readPages().find(({ path }) => path === 'docs/integrators/webhooks.md')!;

interface Described {
  post: {
    requestBody: {
      content: { 'application/json': { schema: { properties: { data: { properties: object } } } } };
    };
  };
}

/** The fields that `data` of a type has by the document. */
const fieldsOf = (type: string): string[] => {
  const { post } = WEBHOOKS[type] as Described;
  return Object.keys(post.requestBody.content['application/json'].schema.properties.data.properties);
};

/** Cells of the page's rows whose first one is a word of the API, below the heading. */
function rowsBelow(heading: string): string[][] {
  const [, chapter = ''] = page.text.split(`\n${heading}\n`);
  const rows = chapter.split(/\n##? /)[0]?.match(/^\| `.*$/gm) ?? [];
  return rows.map((row) => row.split('|').map((cell) => cell.trim()));
}

const namesIn = (cell: string): string[] =>
  [...cell.matchAll(/`([a-z_]+)`/g)].map(([, name]) => String(name));

describe('the page about receiving events', () => {
  const types = Object.keys(WEBHOOKS);
  const common = fieldsOf('lead.created').filter((name) => !['by', 'customer_name'].includes(name));

  it('has every field that all events have, and no other', () => {
    const rows = rowsBelow('## What comes').filter(([, name = '']) => !name.includes('webhook-'));
    expect(rows.flatMap(([, names = '']) => namesIn(names)).sort()).toEqual([...common].sort());
    for (const type of types) expect(fieldsOf(type)).toEqual(expect.arrayContaining(common));
  });

  it('has every type of event with the fields of its own', () => {
    const rows = rowsBelow('## Types of events');
    expect(rows.map(([, type = '']) => type.replaceAll('`', ''))).toEqual(types);
    for (const [, type = '', , fields = ''] of rows) {
      const own = fieldsOf(type.replaceAll('`', '')).filter((name) => !common.includes(name));
      // What follows a colon tells of a field's values.
      const named = fields.split(';').flatMap((part) => namesIn(part.split(':')[0] ?? ''));
      expect([type, named.sort()]).toEqual([type, own.sort()]);
    }
  });

  it('has a body of each type that is as the OpenAPI document describes it', () => {
    const document = JSON.parse(readFileSync(join(ROOT, 'test/snapshots/openapi.json'), 'utf8')) as object;
    const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
    ajv.addSchema({ ...document, webhooks: WEBHOOKS }, 'document');
    const shown = page.blocks
      .filter(({ words }) => words[0] === 'event')
      .map(({ text }) => JSON.parse(text) as { type: string });
    expect(shown.map(({ type }) => type)).toEqual(types);
    const faults = shown.flatMap((event) => {
      const validate = ajv.getSchema(
        `document#/webhooks/${event.type}/post/requestBody/content/application~1json/schema`,
      )!;
      if (validate(event)) return [];
      return (validate.errors ?? []).map(({ instancePath, message }) => [event.type, instancePath, message]);
    });
    expect(faults).toEqual([]);
  });

  it('tells after how long an event is tried again', () => {
    const [seconds, ...minutes] = RETRY_TIMES.retriesMs.map((ms) => ms / 1_000);
    const [five, thirty, ...hours] = minutes.map((each) => each / 60);
    const told = `${seconds} seconds, ${five} minutes, ${thirty} minutes, and ${hours.map((each) => each / 60).join(', ')}`;
    expect(page.text).toContain(`${told.replace(/, (\d+)$/, ' and $1')} hours`);
  });
});
