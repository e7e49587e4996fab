import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RETRY_TIMES } from '@app/domain/webhooks-out/sending/delivery-outcome';
import { WEBHOOKS } from '../../apps/server/src/docs/webhook-documentation';
import { webhookSchemasOf } from '../support/clients/webhook.schemas';
import { readPages, ROOT } from './markdown.document';

const page = readPages().find(({ path }) => path === 'docs/integrators/webhooks.md')!;

interface Described {
  post: {
    parameters: { name: string; required: boolean }[];
    requestBody: {
      content: {
        'application/json': {
          schema: { properties: { data: { properties: object; required: string[] } } };
          example: { type: string };
        };
      };
    };
  };
}

const documented = (type: string) => (WEBHOOKS[type] as Described).post;
const contentOf = (type: string) => documented(type).requestBody.content['application/json'];
const dataOf = (type: string) => contentOf(type).schema.properties.data;

/** The fields that `data` of a type has by the document. */
const fieldsOf = (type: string): string[] => Object.keys(dataOf(type).properties);

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

  it('has the headers of the document, and says which are not always there', () => {
    const rows = rowsBelow('## What comes').filter(([, name = '']) => name.includes('webhook-'));
    const told = rows.map(([, name = '', value = '']) => [name.replaceAll('`', ''), !/absent/.test(value)]);
    for (const type of types)
      expect(documented(type).parameters.map(({ name, required }) => [name, required])).toEqual(told);
  });

  it('has a body of each type, which is the document’s example and as the document describes it', () => {
    const document = JSON.parse(readFileSync(join(ROOT, 'test/snapshots/openapi.json'), 'utf8')) as object;
    const shown = page.blocks
      .filter(({ words }) => words[0] === 'event')
      .map(({ text }) => JSON.parse(text) as { type: string });
    expect(shown).toEqual(types.map((type) => contentOf(type).example));
    const faultsOf = webhookSchemasOf({ ...document, webhooks: WEBHOOKS });
    expect(shown.flatMap((event) => faultsOf({ type: event.type, body: JSON.stringify(event) }))).toEqual([]);
  });

  it('says of each field that only some events of a type have which have it', () => {
    const sometimes = types.flatMap((type) =>
      fieldsOf(type).flatMap((name) => (dataOf(type).required.includes(name) ? [] : [`${type} ${name}`])),
    );
    expect(sometimes.filter((field) => !field.endsWith(' truncated'))).toEqual(['message.sent status']);
    expect(page.text).toContain('`status`: its state by this event, not of those from the app');
  });

  it('tells after how long an event is tried again', () => {
    const [seconds, ...minutes] = RETRY_TIMES.retriesMs.map((ms) => ms / 1_000);
    const [five, thirty, ...hours] = minutes.map((each) => each / 60);
    const told = `${seconds} seconds, ${five} minutes, ${thirty} minutes, and ${hours.map((each) => each / 60).join(', ')}`;
    expect(page.text).toContain(`${told.replace(/, (\d+)$/, ' and $1')} hours`);
  });
});
