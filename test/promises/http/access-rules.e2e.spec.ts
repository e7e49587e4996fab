import { request, type Answer } from '../../support/clients/api.client';
import { operationsOf, type Operation } from '../../support/clients/openapi.operations';
import { addAdminKey } from '../../support/database/fixture';
import { setLeadScene } from '../../support/scenes/lead.scene';

const COUNTERS = { leads: 4_007, general: 5_003 };
const SCOPES = ['leads', 'messages', 'admin'] as const;
type Scope = (typeof SCOPES)[number];

interface Rule {
  counter: keyof typeof COUNTERS;
  scopes: readonly Scope[];
}

const OF_LEADS: Rule = { counter: 'leads', scopes: ['leads'] };
const OF_MESSAGES: Rule = { counter: 'general', scopes: ['messages'] };
const OF_THREADS: Rule = { counter: 'general', scopes: ['messages', 'leads'] };
/** Of sessions: no key may. */
const OF_PEOPLE: Rule = { counter: 'general', scopes: [] };
const OF_ADMINS: Rule = { counter: 'general', scopes: ['admin'] };

/** What each operation of a key counts on, and the scopes of which one is needed. */
const RULES: Record<string, Rule> = {
  'leads/get-statuses': OF_LEADS,
  'leads/get-lead': OF_LEADS,
  'leads/set-status': OF_LEADS,
  'leads/set-status-bulk': OF_LEADS,
  'leads/set-ai': OF_LEADS,
  'leads/set-name': OF_LEADS,
  'leads/clear-attention': OF_LEADS,
  'leads/assign': OF_LEADS,
  'leads/get-history': OF_LEADS,
  'leads/get-funnel-figures': OF_LEADS,
  'leads/import': OF_LEADS,
  'leads/get-import': OF_LEADS,
  'leads/cancel-import': OF_LEADS,
  'leads/export': OF_LEADS,
  'messages/send-template': OF_MESSAGES,
  'messages/send-text': OF_MESSAGES,
  'messages/get-batch': OF_MESSAGES,
  'messages/get-message': OF_MESSAGES,
  'messages/settle-message': OF_MESSAGES,
  'messages/mark-read': OF_MESSAGES,
  'messages/add-note': OF_MESSAGES,
  'messages/get-templates': OF_MESSAGES,
  'messages/media/{id}': OF_MESSAGES,
  'messages/upload-media': OF_MESSAGES,
  'messages/get-template-figures': OF_MESSAGES,
  'messages/get-threads': OF_THREADS,
  'messages/get-messages': OF_THREADS,
};

const nameOf = ({ path }: Operation): string => path.replace('/api/v1/', '');
/** Needs neither a key nor a session. */
const OF_STRANGERS = ['auth/sign-in', 'auth/accept-invitation'];

function ruleOf(operation: Operation): Rule | undefined {
  const name = nameOf(operation);
  if (name.startsWith('admin/')) return OF_ADMINS;
  return name.startsWith('auth/') ? OF_PEOPLE : RULES[name];
}

const scene = setLeadScene();
let operations: Operation[];
const keys = new Map<Scope, string>();

beforeAll(async () => {
  const { body } = await request(`${scene.server.url}/openapi.json`);
  operations = operationsOf(body).filter(
    (operation) => operation.path.startsWith('/api/') && !OF_STRANGERS.includes(nameOf(operation)),
  );
  const limits = { limitLeads: COUNTERS.leads, limitGeneral: COUNTERS.general };
  for (const scope of ['leads', 'messages'] as const)
    keys.set(scope, await scene.account.addKey({ ...limits, scopes: [scope] }));
  keys.set('admin', await addAdminKey(scene.database.pool, limits));
});

const call = ({ method, path }: Operation, scope: Scope): Promise<Answer> =>
  request(`${scene.server.url}${path.replaceAll(/\{\w+\}/g, 'nothing')}`, {
    method,
    headers: { 'X-API-Key': keys.get(scope) ?? '', 'Content-Type': 'application/json' },
    // Refused by every operation that takes a body, so that nothing changes.
    body: method === 'GET' || method === 'DELETE' ? undefined : '{"nobody_knows_this_field":true}',
  });

describe('every operation', () => {
  it('has a rule here, and no rule is of none', () => {
    expect(operations.length).toBeGreaterThan(30);
    expect(operations.filter((operation) => !ruleOf(operation))).toEqual([]);
    const documented = operations.map(nameOf);
    expect(Object.keys(RULES).filter((name) => !documented.includes(name))).toEqual([]);
  });

  it.each(SCOPES)(
    'lets a key with the scope %s in where its rule says so, and nowhere else',
    async (scope) => {
      const found: Record<string, boolean> = {};
      const expected: Record<string, boolean> = {};
      for (const operation of operations) {
        const { status } = await call(operation, scope);
        expect([operation.path, status]).not.toEqual([operation.path, 401]);
        const name = `${operation.method} ${nameOf(operation)}`;
        found[name] = status !== 403;
        expected[name] = ruleOf(operation)?.scopes.includes(scope) ?? false;
      }
      expect(found).toEqual(expected);
    },
  );

  it.each(SCOPES)('counts on the one counter of its rule, for a key with the scope %s too', async (scope) => {
    const found: Record<string, number> = {};
    const expected: Record<string, number> = {};
    const used = { leads: 0, general: 0 };
    for (const operation of operations) {
      const { headers } = await call(operation, scope);
      const name = `${operation.method} ${nameOf(operation)}`;
      const counter = ruleOf(operation)?.counter ?? 'general';
      found[name] = Number(headers.get('ratelimit-limit'));
      expected[name] = COUNTERS[counter];
      used[counter] += 1;
    }
    expect(found).toEqual(expected);
    expect(Math.min(...Object.values(used))).toBeGreaterThan(0);
  });
});
