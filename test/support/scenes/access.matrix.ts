import { randomUUIDv7 } from 'node:crypto';
import { request, type Answer } from '../clients/api.client';
import { idFieldsOf, operationsOf, type Operation } from '../clients/openapi.operations';
import { bodiesOf } from '../clients/openapi.samples';
import type { SessionClient } from '../clients/session.client';
import { UploadClient } from '../clients/upload.client';
import { thingsOf, type Things } from '../database/account.things';
import { uuidOf } from '../database/thread.uuid';
import { addAdminKey, type AccountFixture } from '../database/fixture';
import { PASSWORD, PeopleScene } from './people.scene';

type Schema = Record<string, any>;

/** An operation with all that is needed to call it. */
export interface Cell extends Operation {
  title: string;
  /** The first body that its page offers. */
  sample: object | undefined;
}

/** Everything that an identifier may name; a thread by its id with the prefix. */
export interface Named extends Things {
  thread: string;
  message: string;
  batch: string;
  import: string;
  user: string;
  reject: string;
  media: string;
  session: string;
  endpoint: string;
  delivery: string;
}

/** Who calls: the headers that show it, and the agents and things that are its own. */
export interface Principal {
  name: string;
  headers: Record<string, string>;
  /** What its account lets it reach, in the words of the access table. */
  type: 'nobody' | 'key' | 'person';
  scopes: string[];
  role: 'operator' | 'admin' | null;
  confirmed: boolean;
  session?: SessionClient;
}

/** What the segment before a parameter of a path, or the last word of a field, names. */
export const KINDS: Record<string, keyof Named> = {
  ...{ accounts: 'account', 'api-keys': 'key', assistants: 'assistant', tools: 'tool', bots: 'bot' },
  ...{ scenarios: 'scenario', 'scenario-runs': 'run', statuses: 'stage', templates: 'template' },
  ...{ users: 'user', 'webhook-rejects': 'reject', media: 'media', sessions: 'session', threads: 'thread' },
  ...{ 'webhook-endpoints': 'endpoint', 'webhook-deliveries': 'delivery' },
  ...{ assistant_id: 'assistant', assistant_ids: 'assistant', thread_id: 'thread', thread_ids: 'thread' },
  ...{ status_id: 'stage', status_ids: 'stage', expected_status_id: 'stage', user_id: 'user' },
  ...{ assignee_id: 'user', bot_id: 'bot', bot_ids: 'bot', batch_id: 'batch', account_id: 'account' },
  ...{ id: 'message', up_to: 'message', around: 'message', scenario_id: 'scenario', media_id: 'media' },
  import_id: 'import',
};

/** Parameters and fields that are no identifiers of ours. */
const WORDS: Record<string, string> = { channel: 'waba_coexistence', index: '0' };
const NO_IDS = ['template_id'];

const PARAMETER = /([\w-]+)\/\{(\w+)\}/g;

/** The kind of a parameter or field. @throws for a new one, which has to be added above. */
export function kindOf(name: string): keyof Named {
  const kind = KINDS[name.split('.').at(-1) ?? name];
  if (!kind) throw new Error(`say in access.matrix.ts what ${name} names`);
  return kind;
}

/** The identifiers of an operation: of its path by `path:<segment>`, of its body by their fields. */
export const idsOf = (cell: Cell): string[] => [
  ...[...cell.path.matchAll(PARAMETER)]
    .filter(([, , parameter]) => !(String(parameter) in WORDS))
    .map(([, segment]) => `path:${segment}`),
  ...idFieldsOf(cell).filter((field) => !NO_IDS.includes(field)),
];

const kindOfId = (id: string): keyof Named => kindOf(id.replace('path:', ''));

export const missing = (kind: keyof Named): string =>
  kind === 'thread' ? `thread_${randomUUIDv7()}` : randomUUIDv7();

/** The operations of the application as it runs, which nobody has to list. */
export async function cellsOf(url: string): Promise<Cell[]> {
  const { body } = await request(`${url}/openapi.json`);
  const document = body as unknown as Schema;
  return operationsOf(document)
    .filter(({ path }) => path.startsWith('/api/'))
    .map((operation) => {
      const documented = document.paths[operation.path][operation.method.toLowerCase()] as Schema;
      const [[, sample] = ['', undefined]] = bodiesOf(documented, document);
      return { ...operation, title: `${operation.method} ${operation.path}`, sample: sample as object };
    });
}

/** The path and body of an operation on the given things; `instead` names another one for one identifier. */
export function callOf(
  cell: Cell,
  things: Named,
  instead: Record<string, string> = {},
): { path: string; body: object | undefined } {
  const of = (id: string): string => instead[id] ?? things[kindOfId(id)];
  const path = cell.path.replaceAll(PARAMETER, (_, segment: string, parameter: string) =>
    [segment, WORDS[parameter] ?? of(`path:${segment}`)].join('/'),
  );
  if (!cell.sample) return { path, body: undefined };
  const body = structuredClone(cell.sample) as Schema;
  for (const field of idFieldsOf(cell).filter((name) => !NO_IDS.includes(name))) {
    const [head = '', tail] = field.split('.');
    // There are no files here: a message goes without one, unless the field is looked at.
    if (kindOf(field) === 'media' && !(field in instead)) delete body[head];
    // What the page leaves out stays out, but for the field that is looked at.
    if (tail === undefined) {
      if (head in body || field in instead) body[head] = head.endsWith('ids') ? [of(field)] : of(field);
    } else
      for (const item of body[head] as Schema[]) if (tail in item || field in instead) item[tail] = of(field);
  }
  return { path, body };
}

/** Principals of each kind, and things of two accounts. */
export class AccessScene extends PeopleScene {
  async thingsOf(account: AccountFixture, assistant = account.assistantId): Promise<Named> {
    const things = await thingsOf(account, assistant);
    const thread = await account.addThread({ statusId: things.stage }, assistant, things.bot);
    await this.database.pool.query(
      'UPDATE scenario_runs SET thread_id = $1 WHERE account_id = $2 AND id = $3',
      [uuidOf(thread), account.id, things.run],
    );
    const user = await account.addUser();
    const [message, batch] = [await account.addMessage(thread), await account.addBatch(things.bot)];
    const imported = await account.addImport(things.bot, assistant);
    const sent = await account.addMessage(thread, { role: 'AI' });
    await this.database.pool.query(
      `UPDATE messages SET batch_id = $3, batch_index = 0, recipient = '+77015550000' WHERE account_id = $1 AND id = $2`,
      [account.id, sent, batch],
    );
    const [media, reject] = [await this.addFile(account, things.bot, message), randomUUIDv7()];
    await this.database.pool.query(
      `INSERT INTO webhook_rejects (id, account_id, bot_id, provider, delivery_id, path, reason, item, received_at)
       VALUES ($1, $2, $3, 'cloud', -1, $4, 'r', convert_to($4, 'UTF8'), now())`,
      [reject, account.id, things.bot, reject],
    );
    const session = await this.addSession(account.id, user);
    const { endpoint, delivery } = await this.addEndpoint(account.id);
    return {
      ...things,
      thread,
      message,
      batch,
      import: imported,
      user,
      media,
      reject,
      session,
      endpoint,
      delivery,
    };
  }

  /** An endpoint with a delivery that failed. */
  private async addEndpoint(accountId: string): Promise<Pick<Named, 'endpoint' | 'delivery'>> {
    const [endpoint, delivery] = [randomUUIDv7(), randomUUIDv7()];
    await this.database.pool.query(
      `WITH made AS (
         INSERT INTO webhook_endpoints (account_id, id, url, events, key_id, secret)
         VALUES ($1, $2, 'https://receiver.invalid/', '{import.finished}', 'none', '')),
       queued AS (INSERT INTO endpoint_queues (account_id, endpoint_id) VALUES ($1, $2))
       INSERT INTO endpoint_deliveries (account_id, id, endpoint_id, seq, thread_id, type, event_id, state)
       VALUES ($1, $3, $2, 1, '00000000-0000-0000-0000-000000000000', 'import.finished', gen_random_uuid(), 'failed')`,
      [accountId, endpoint, delivery],
    );
    return { endpoint, delivery };
  }

  /** A session that a person has besides those that sign in here. */
  async addSession(accountId: string, userId: string): Promise<string> {
    const id = randomUUIDv7();
    await this.database.pool.query(
      `INSERT INTO user_sessions (account_id, id, user_id, token_hash, network, ip, user_agent)
       VALUES ($1, $2, $3, sha256($4), '127.0.0.1', '127.0.0.1', 'a browser')`,
      [accountId, id, userId, Buffer.from(id)],
    );
    return id;
  }

  /** A file that a customer sent to a bot: whoever sees the message sees it. */
  private async addFile({ id, key }: AccountFixture, bot: string, message: string): Promise<string> {
    const uploads = new UploadClient(this.server.url, { 'X-API-Key': key });
    const { body, text } = await uploads.upload({ bytes: Buffer.from('a file'), name: 'file.txt' });
    if (!body.ok) throw new Error(text);
    const media = body.data.media.id as string;
    const db = this.database.pool;
    await db.query('UPDATE media SET bot_id = $3 WHERE account_id = $1 AND id = $2', [id, media, bot]);
    await db.query('UPDATE messages SET media_id = $3 WHERE account_id = $1 AND id = $2', [
      id,
      message,
      media,
    ]);
    return media;
  }

  call({ headers }: Principal, { method }: Cell, path: string, body: unknown): Promise<Answer> {
    return request(this.server.url + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  }

  async key(name: string, scopes: string[], given: object = {}, account = this.account): Promise<Principal> {
    const limits = { limitLeads: 100_000, limitGeneral: 100_000 };
    const key = scopes.includes('admin')
      ? await addAdminKey(this.database.pool, { ...limits, ...given })
      : await account.addKey({ ...limits, scopes, ...given });
    const headers = { 'X-API-Key': key };
    return { name, headers, type: 'key', scopes, role: null, confirmed: true };
  }

  async person(
    name: string,
    role: 'operator' | 'admin',
    given: object = {},
    confirmed = true,
  ): Promise<Principal & { session: SessionClient }> {
    const session = await this.join({ role, ...given });
    if (confirmed) await session.call('auth/confirm', { password: PASSWORD });
    const { 'Content-Type': _, ...headers } = session.headers;
    return { name, headers, type: 'person', scopes: [], role, confirmed, session };
  }
}

/** Sets the scene for a test file. */
export function setAccessScene(): AccessScene {
  const scene = new AccessScene({ ownServer: true });
  beforeAll(() => scene.start());
  afterAll(() => scene.close());
  return scene;
}
