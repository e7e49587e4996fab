import { randomUUIDv7 } from 'node:crypto';
import type { AccessRule } from '@app/domain/accounts/access-table';
import { CALLERS, CATALOG, type CatalogRow, type OperationName } from '../operations.catalog';
import type { Principal, Things } from '../scenes/access.scene';
import { request } from './api.client';
import { idFieldsOf, operationsOf, type Operation } from './openapi.operations';
import { bodiesOf } from './openapi.samples';

type Schema = Record<string, any>;

/** An operation of the document with its row, and all that is needed to call it. */
export interface Cataloged extends Operation {
  title: OperationName;
  row: CatalogRow;
  /** The first body that its page offers. */
  sample: Schema | undefined;
}

/** The operations of the running application: all that its document has. */
export async function catalogOf(url: string): Promise<Cataloged[]> {
  const document = (await request(`${url}/openapi.json`)).body as unknown as Schema;
  const found = operationsOf(document).map((operation) => {
    const title = `${operation.method} ${operation.path}` as OperationName;
    const [[, sample] = ['', undefined]] = bodiesOf(
      document.paths[operation.path][operation.method.toLowerCase()] as Schema,
      document,
    );
    return { ...operation, title, row: CATALOG[title], sample: sample as Schema };
  });
  const order = Object.keys(CATALOG);
  return found.sort((one, other) => order.indexOf(one.title) - order.indexOf(other.title));
}

/** What the segment before a parameter of a path, a filter, or the last word of a field names. */
const NAMES: Record<string, keyof Things> = {
  ...{ accounts: 'account', 'api-keys': 'key', assistants: 'assistant', tools: 'tool', bots: 'bot' },
  ...{ scenarios: 'scenario', 'scenario-runs': 'run', statuses: 'stage', templates: 'template' },
  ...{ users: 'user', 'webhook-rejects': 'reject', media: 'media', sessions: 'session', threads: 'thread' },
  ...{ 'webhook-endpoints': 'endpoint', 'webhook-deliveries': 'delivery' },
  ...{ assistant_id: 'assistant', assistant_ids: 'assistant', thread_id: 'thread', thread_ids: 'thread' },
  ...{ status_id: 'stage', status_ids: 'stage', expected_status_id: 'stage', move_to: 'stage' },
  ...{
    bot_id: 'bot',
    bot_ids: 'bot',
    batch_id: 'batch',
    earlier_batch_ids: 'batch',
    account_id: 'account',
    import_id: 'import',
  },
  ...{ user_id: 'user', assignee_id: 'user', actor_id: 'user', subject_id: 'thread', media_id: 'media' },
  ...{ id: 'message', up_to: 'message', around: 'message', scenario_id: 'scenario' },
};

/** Parameters that name no thing of ours, and fields that are the provider's. */
const WORDS: Record<string, string> = { channel: 'waba_coexistence', index: '0', token: 'none' };
const PROVIDERS_IDS: ReadonlySet<string> = new Set(['template_id', 'user_ids']);

const PARAMETER = /([\w-]+)\/\{(\w+)\}/g;

/** @throws for a new identifier, whose kind has to be added above. */
export function kindOf(id: string): keyof Things {
  const kind = NAMES[id.split(/[.:]/).at(-1) ?? id];
  if (!kind) throw new Error(`say in catalog.calls.ts what ${id} names`);
  return kind;
}

/** The identifiers of an operation: `path:<segment>`, `query:<filter>`, and the fields of its body. */
export const idsOf = (operation: Operation): string[] => [
  ...[...operation.path.matchAll(PARAMETER)]
    .filter(([, , parameter]) => !(String(parameter) in WORDS))
    .map(([, segment]) => `path:${segment}`),
  ...operation.query.filter((name) => name in NAMES || name.endsWith('_id')).map((name) => `query:${name}`),
  ...idFieldsOf(operation).filter((field) => !PROVIDERS_IDS.has(field)),
];

export const missing = (kind: keyof Things): string =>
  kind === 'thread' ? `thread_${randomUUIDv7()}` : randomUUIDv7();

/** What no identifier is, by what it should be. */
export const malformed = (kind: keyof Things): string[] => {
  const none = missing(kind);
  return [
    ...['malformed', "' OR true --", none.slice(0, -1), `${none} `, 'ё'.repeat(200), '../../etc/passwd'],
    kind === 'thread' ? none.replace('thread_', '') : `thread_${none}`,
  ];
};

const CODES: Partial<Record<keyof Things, string>> = {
  ...{ stage: 'STATUS', key: 'API_KEY', reject: 'WEBHOOK_REJECT', endpoint: 'WEBHOOK_ENDPOINT' },
  delivery: 'WEBHOOK_DELIVERY',
};

/** The code by which a missing thing is refused. */
export const notFoundOf = (kind: keyof Things): string => `${CODES[kind] ?? kind.toUpperCase()}_NOT_FOUND`;

export interface Call {
  path: string;
  body: Schema | undefined;
}

/** The valid call of an operation on these things; `instead` names another one for one identifier. */
export function callOf(operation: Cataloged, own: Things, instead: Record<string, string> = {}): Call {
  const { row, sample } = operation;
  const of = (id: string): string => instead[id] ?? own[kindOf(id)];
  const inPath = operation.path.replaceAll(PARAMETER, (_, segment: string, parameter: string) =>
    [segment, encodeURIComponent(WORDS[parameter] ?? of(`path:${segment}`))].join('/'),
  );
  const filters = Object.entries(instead).filter(([id]) => id.startsWith('query:'));
  const query = [
    ...(row.query && filters.length === 0 ? [row.query] : []),
    ...filters.map(([id, value]) => `${id.slice('query:'.length)}=${encodeURIComponent(value)}`),
  ].join('&');
  const path = query ? `${inPath}?${query}` : inPath;
  if (!sample) return { path, body: undefined };
  const body: Schema = { ...structuredClone(sample), ...row.body?.(own) };
  for (const field of idFieldsOf(operation).filter((name) => !PROVIDERS_IDS.has(name))) {
    const [head = '', tail] = field.split('.');
    // A message goes without its file, unless the field is looked at.
    if (kindOf(field) === 'media' && !(field in instead)) delete body[head];
    // What the example leaves out stays out, but for the field that is looked at.
    else if (tail === undefined) {
      if (body[head] !== undefined || field in instead)
        body[head] = head.endsWith('ids') ? [of(field)] : of(field);
    } else
      for (const item of body[head] as Schema[]) if (tail in item || field in instead) item[tail] = of(field);
  }
  return { path, body };
}

export type Outcome = 'unknown' | 'csrf' | 'forbidden' | 'confirm' | 'in';

/** What becomes of a principal's call by the catalog. */
export function outcomeBy(
  { type, scopes, role, confirmed, crossSite }: Principal,
  row: Pick<CatalogRow, 'who' | 'confirmed'>,
  method = 'POST',
): Outcome {
  const rule: AccessRule | null = CALLERS[row.who];
  if (rule === null) return 'in';
  if (type === 'nobody') return 'unknown';
  if (type === 'key') return rule.scopes.some((scope) => scopes.includes(scope)) ? 'in' : 'forbidden';
  if (crossSite && method !== 'GET') return 'csrf';
  if (rule.role !== 'operator' && rule.role !== role) return 'forbidden';
  return row.confirmed && !confirmed ? 'confirm' : 'in';
}
