import { randomInt, randomUUIDv7 } from 'node:crypto';
import { Authenticator } from '../clients/authenticator';
import { signIn, type SessionClient } from '../clients/session.client';
import { eventually } from '../eventually';
import type { StandInProvider } from '../stand-ins/provider.stand-in';
import { PASSWORD, type Invited, type PeopleScene } from './people.scene';

/** What is called, once what it changes is there. */
export interface Call {
  path: string;
  body?: object;
  /** Who calls; absent: an admin. */
  as?: SessionClient;
}

export interface Change {
  arrange: () => Promise<Call>;
  /** What its entries say was done. */
  actions: string[];
  /** Whether only a key of the installation may. */
  keyOnly?: true;
}

const CHANNEL = 'waba_coexistence';

export interface AuditedChanges {
  /** By operation, as `POST admin/accounts`. */
  changes: Record<string, Change>;
  /** What was given or made, and may be in no entry. */
  secrets: string[];
  secret: () => string;
  invite: () => Promise<Invited>;
  withSecondFactor: () => Promise<{ person: SessionClient & { email: string }; app: Authenticator }>;
}

/** Each operation that changes something of admins or of sign-in, and how what it changes is made. */
export function auditedChanges(scene: PeopleScene, provider: () => StandInProvider): AuditedChanges {
  const secrets: string[] = [];
  const secret = (): string => {
    const made = `planted-${randomInt(1e14).toString(36)}-secret`;
    secrets.push(made);
    return made;
  };

  const done = async (
    method: string,
    path: string,
    body?: object,
  ): Promise<{ id: string } & Record<string, any>> => {
    const answer = await scene.admin.admin(method, path, body);
    expect([answer.text, answer.status < 300]).toEqual([answer.text, true]);
    return answer.body.data as { id: string };
  };

  let made = 0;
  const named = (what: string): string => `${what} ${(made += 1)}`;
  const account = (): string => scene.account.id;

  const makeKey = async () => {
    const key = await done('POST', 'api-keys', {
      account_id: account(),
      name: named('key'),
      scopes: ['leads'],
    });
    secrets.push(key.key as string);
    return key;
  };
  const makeAssistant = () => done('POST', 'assistants', { account_id: account(), name: named('agent') });
  const makeTool = async () => {
    const { id } = await makeAssistant();
    const headers = { 'X-Token': secret() };
    const tool = {
      name: 'look_up',
      description: 'Looks up',
      method: 'GET',
      url: 'https://example.com/',
      headers,
    };
    return { assistant: id, tool: await done('POST', `assistants/${id}/tools`, tool) };
  };
  const makeStage = async () => {
    const { id } = await makeAssistant();
    return done('POST', 'statuses', { assistant_id: id, name: named('stage'), kind: 'active' });
  };
  const makeBot = async () =>
    done('POST', 'bots', {
      account_id: account(),
      assistant_id: scene.account.assistantId,
      name: named('bot'),
    });
  const number = () => {
    return {
      sender: String(randomInt(1e13, 9e13)),
      credential: secret(),
      settings: { waba_id: String(randomInt(1e13, 9e13)) },
    };
  };
  const makeNumber = async () => {
    const bot = await makeBot();
    await done('PUT', `bots/${bot.id}/channels/${CHANNEL}`, number());
    return bot;
  };
  const template = (bot: string) => ({
    ...{
      bot_id: bot,
      channel: CHANNEL,
      name: named('greeting').replace(' ', '_'),
      language: 'ru',
      category: 'utility',
    },
    body: 'Здравствуйте!',
  });
  const makeTemplate = async () => done('POST', 'templates', template((await makeNumber()).id));
  const scenarioOf = (statusId: string) => ({
    ...{ status_id: statusId, name: named('scenario'), on_leave: 'continue' },
    steps: [
      { kind: 'wait', seconds: 3_600 },
      { kind: 'http', method: 'POST', url: 'https://example.com/', headers: { Authorization: secret() } },
    ],
  });
  const makeScenario = async () => {
    const scenario = await done('POST', 'scenarios', scenarioOf(scene.stage(1)));
    secrets.push(scenario.signing_secret as string);
    return scenario;
  };
  const makeRun = async () => {
    const { id } = await makeScenario();
    const thread = await scene.account.addThread({ statusId: scene.stage(1) });
    await done('POST', `scenarios/${id}/start`, { thread_ids: [thread] });
    return eventually(
      async () => {
        const { runs } = await done('GET', `scenario-runs?scenario_id=${id}`);
        return (runs as { id: string }[])[0];
      },
      10_000,
      'no run began',
    );
  };
  const makeReject = async () => {
    const id = randomUUIDv7();
    await scene.database.pool.query(
      `INSERT INTO webhook_rejects (id, account_id, bot_id, provider, delivery_id, path, reason, item, received_at)
     VALUES ($1, $2, $3, 'cloud', -1, '', 'r', convert_to($4, 'UTF8'), now())`,
      [id, account(), scene.account.botId, id],
    );
    return { id };
  };
  const endpoint = (url: string) => ({ account_id: account(), url, events: ['import.finished'] });
  const makeEndpoint = async () => {
    const made = await done('POST', 'webhook-endpoints', endpoint('https://receiver.invalid/'));
    secrets.push(made.secret as string);
    return made;
  };
  const makeDelivery = async () => {
    const [{ id: of }, id] = [await makeEndpoint(), randomUUIDv7()];
    await scene.database.pool.query(
      `INSERT INTO endpoint_deliveries (account_id, id, endpoint_id, seq, thread_id, type, event_id, state)
       VALUES ($1, $2, $3, 1, '00000000-0000-0000-0000-000000000000', 'import.finished', gen_random_uuid(), 'failed')`,
      [account(), id, of],
    );
    return { id };
  };
  const invite = async () => {
    const invited = await scene.invite();
    secrets.push(invited.token);
    return invited;
  };
  const withSecondFactor = async () => {
    const person = await scene.join();
    const app = await Authenticator.enable(person);
    secrets.push(app.secret, ...app.recoveryCodes);
    return { person, app };
  };

  const at = (path: string, body?: object, as?: SessionClient): Call => ({ path, body, as });
  const change = (actions: string | string[], arrange: Change['arrange'], keyOnly?: true): Change => ({
    ...{ actions: [actions].flat(), arrange, keyOnly },
  });

  /** Each operation that changes something of admins or of sign-in. */
  const changes: Record<string, Change> = {
    'POST admin/accounts': change(
      'account.create',
      async () => at('admin/accounts', { name: named('account') }),
      true,
    ),
    'PATCH admin/accounts/{id}': change('account.update', async () =>
      at(`admin/accounts/${account()}`, { name: named('account') }),
    ),
    'POST admin/api-keys': change('key.create', async () =>
      at('admin/api-keys', { account_id: account(), name: named('key'), scopes: ['leads'] }),
    ),
    'PATCH admin/api-keys/{id}': change('key.update', async () =>
      at(`admin/api-keys/${(await makeKey()).id}`, { limit_leads: 7 }),
    ),
    'POST admin/api-keys/{id}/rotate': change('key.rotate', async () =>
      at(`admin/api-keys/${(await makeKey()).id}/rotate`, {}),
    ),
    'DELETE admin/api-keys/{id}': change('key.revoke', async () =>
      at(`admin/api-keys/${(await makeKey()).id}`),
    ),
    'POST admin/users': change('user.create', async () =>
      at('admin/users', {
        account_id: account(),
        email: `walked-${++made}@example.com`,
        name: 'W',
        role: 'operator',
      }),
    ),
    'PATCH admin/users/{id}': change('user.update', async () =>
      at(`admin/users/${(await scene.join()).userId}`, { disabled: true }),
    ),
    'POST admin/users/{id}/invitation': change('user.invite', async () =>
      at(`admin/users/${(await invite()).id}/invitation`, {}),
    ),
    'DELETE admin/users/{id}/sessions': change('user.end_sessions', async () =>
      at(`admin/users/${(await scene.join()).userId}/sessions`),
    ),
    'POST admin/assistants': change('assistant.create', async () =>
      at('admin/assistants', { account_id: account(), name: named('agent') }),
    ),
    'PATCH admin/assistants/{id}': change('assistant.update', async () =>
      at(`admin/assistants/${(await makeAssistant()).id}`, { name: named('agent') }),
    ),
    'POST admin/assistants/{id}/tools': change('tool.create', async () =>
      at(`admin/assistants/${(await makeAssistant()).id}/tools`, {
        ...{ name: 'look_up', description: 'Looks up', method: 'GET', url: 'https://example.com/' },
        headers: { 'X-Token': secret() },
      }),
    ),
    'PATCH admin/assistants/{id}/tools/{tool_id}': change('tool.update', async () => {
      const { assistant, tool } = await makeTool();
      return at(`admin/assistants/${assistant}/tools/${tool.id}`, { headers: { 'X-Token': secret() } });
    }),
    'DELETE admin/assistants/{id}/tools/{tool_id}': change('tool.delete', async () => {
      const { assistant, tool } = await makeTool();
      return at(`admin/assistants/${assistant}/tools/${tool.id}`);
    }),
    'POST admin/statuses': change('status.create', async () =>
      at('admin/statuses', {
        assistant_id: (await makeAssistant()).id,
        name: named('stage'),
        kind: 'active',
      }),
    ),
    'PATCH admin/statuses/{id}': change('status.update', async () =>
      at(`admin/statuses/${(await makeStage()).id}`, { name: named('stage') }),
    ),
    'DELETE admin/statuses/{id}': change('status.archive', async () =>
      at(`admin/statuses/${(await makeStage()).id}?move_to=none`),
    ),
    'POST admin/bots': change('bot.create', async () =>
      at('admin/bots', {
        account_id: account(),
        assistant_id: scene.account.assistantId,
        name: named('bot'),
      }),
    ),
    'PATCH admin/bots/{id}': change('bot.update', async () =>
      at(`admin/bots/${(await makeBot()).id}`, { name: named('bot') }),
    ),
    'PUT admin/bots/{id}/channels/{channel}': change('channel.connect', async () =>
      at(`admin/bots/${(await makeNumber()).id}/channels/${CHANNEL}`, number()),
    ),
    'DELETE admin/bots/{id}/channels/{channel}': change('channel.disconnect', async () =>
      at(`admin/bots/${(await makeNumber()).id}/channels/${CHANNEL}`),
    ),
    'POST admin/bots/{id}/channels/{channel}/test': change('channel.test', async () =>
      at(`admin/bots/${(await makeNumber()).id}/channels/${CHANNEL}/test`, {}),
    ),
    'POST admin/templates': change('template.create', async () =>
      at('admin/templates', template((await makeNumber()).id)),
    ),
    'PATCH admin/templates/{id}': change('template.update', async () =>
      at(`admin/templates/${(await makeTemplate()).id}`, { body: 'Добрый день!' }),
    ),
    'DELETE admin/templates/{id}': change('template.delete', async () =>
      at(`admin/templates/${(await makeTemplate()).id}`),
    ),
    'POST admin/templates/{id}/submit': change('template.submit', async () => {
      const { id } = await makeTemplate();
      provider().answer(200, { id: String(randomInt(1e9)), status: 'PENDING', category: 'UTILITY' });
      return at(`admin/templates/${id}/submit`, {});
    }),
    'POST admin/templates/synchronize': change('template.synchronize', async () => {
      const bot = await makeNumber();
      const listed = {
        id: String(randomInt(1e9)),
        name: 'theirs',
        language: 'ru',
        status: 'APPROVED',
        category: 'UTILITY',
      };
      provider().answer(200, {
        data: [{ ...listed, components: [{ type: 'BODY', text: 'Здравствуйте!' }] }],
      });
      return at('admin/templates/synchronize', { bot_id: bot.id, channel: CHANNEL });
    }),
    'POST admin/scenarios': change('scenario.create', async () =>
      at('admin/scenarios', scenarioOf((await makeStage()).id)),
    ),
    'PATCH admin/scenarios/{id}': change('scenario.update', async () =>
      at(`admin/scenarios/${(await makeScenario()).id}`, { steps: [{ kind: 'wait', seconds: 5 }] }),
    ),
    'DELETE admin/scenarios/{id}': change('scenario.archive', async () =>
      at(`admin/scenarios/${(await makeScenario()).id}`),
    ),
    'POST admin/scenarios/{id}/cancel-runs': change('scenario.cancel_runs', async () =>
      at(`admin/scenarios/${(await makeScenario()).id}/cancel-runs`, {}),
    ),
    'POST admin/scenarios/{id}/rotate-secret': change('scenario.rotate_secret', async () =>
      at(`admin/scenarios/${(await makeScenario()).id}/rotate-secret`, {}),
    ),
    'POST admin/scenarios/{id}/start': change('scenario.start', async () => {
      const { id } = await makeScenario();
      const threads = [await scene.account.addThread({ statusId: scene.stage(1) })];
      threads.push(await scene.account.addThread({ statusId: scene.stage(1) }));
      return at(`admin/scenarios/${id}/start`, { thread_ids: threads });
    }),
    'POST admin/scenario-runs/{id}/cancel': change('run.cancel', async () =>
      at(`admin/scenario-runs/${(await makeRun()).id}/cancel`, {}),
    ),
    'POST admin/scenario-runs/{id}/retry': change('run.retry', async () => {
      const { id } = await makeRun();
      await done('POST', `scenario-runs/${id}/cancel`, {});
      return at(`admin/scenario-runs/${id}/retry`, {});
    }),
    'POST admin/scenario-runs/{id}/steps/{index}/resolve': change('run.resolve', async () => {
      const { id } = await makeRun();
      const step = {
        index: 0,
        state: 'unknown',
        started_at: new Date().toISOString(),
        finished_at: null,
        attempts: 1,
      };
      await scene.database.pool.query('UPDATE scenario_runs SET progress = $2 WHERE id = $1', [
        id,
        JSON.stringify([step]),
      ]);
      return at(`admin/scenario-runs/${id}/steps/0/resolve`, { sent: true });
    }),
    'POST admin/webhook-endpoints': change('webhook_endpoint.create', async () =>
      at('admin/webhook-endpoints', endpoint('https://example.com/')),
    ),
    'PATCH admin/webhook-endpoints/{id}': change('webhook_endpoint.update', async () =>
      at(`admin/webhook-endpoints/${(await makeEndpoint()).id}`, { disabled: true }),
    ),
    'DELETE admin/webhook-endpoints/{id}': change('webhook_endpoint.delete', async () =>
      at(`admin/webhook-endpoints/${(await makeEndpoint()).id}`),
    ),
    'POST admin/webhook-endpoints/{id}/rotate-secret': change('webhook_endpoint.rotate_secret', async () =>
      at(`admin/webhook-endpoints/${(await makeEndpoint()).id}/rotate-secret`, {}),
    ),
    'POST admin/webhook-endpoints/{id}/test': change('webhook_endpoint.test', async () =>
      at(`admin/webhook-endpoints/${(await makeEndpoint()).id}/test`, {}),
    ),
    'POST admin/webhook-endpoints/{id}/replay': change('webhook_endpoint.replay', async () =>
      at(`admin/webhook-endpoints/${(await makeEndpoint()).id}/replay`, { since: new Date().toISOString() }),
    ),
    'POST admin/webhook-deliveries/{id}/retry': change('webhook_delivery.retry', async () =>
      at(`admin/webhook-deliveries/${(await makeDelivery()).id}/retry`, {}),
    ),
    'POST admin/webhook-rejects/{id}/retry': change('webhook_reject.retry', async () =>
      at(`admin/webhook-rejects/${(await makeReject()).id}/retry`, {}),
    ),
    'DELETE admin/webhook-rejects/{id}': change('webhook_reject.delete', async () =>
      at(`admin/webhook-rejects/${(await makeReject()).id}`),
    ),
    'POST admin/threads/{id}/export': change('thread.export', async () =>
      at(`admin/threads/${await scene.account.addThread()}/export`, {}),
    ),
    'POST admin/threads/{id}/erase': change('thread.erase', async () =>
      at(`admin/threads/${await scene.account.addThread()}/erase`, {}),
    ),
    'POST auth/sign-out': change('session.end', async () => at('auth/sign-out', {}, await scene.join())),
    'DELETE auth/sessions/{id}': change('session.end', async () => {
      const person = await scene.join();
      await signIn(person.url, person.email, PASSWORD);
      const { body } = await person.call('auth/sessions');
      const other = (body.data as { id: string; current: boolean }[]).find(({ current }) => !current);
      return at(`auth/sessions/${other?.id}`, undefined, person);
    }),
    'POST auth/change-password': change('user.change_password', async () => {
      const password = secret();
      return at('auth/change-password', { current: PASSWORD, password }, await scene.join());
    }),
    'POST auth/second-factor/begin': change('second_factor.begin', async () =>
      at('auth/second-factor/begin', {}, await scene.join()),
    ),
    'POST auth/second-factor/disable': change('second_factor.disable', async () => {
      const { person, app } = await withSecondFactor();
      // As it is when the call is made, which may be long after: a code is good for a minute.
      const body = {
        password: PASSWORD,
        get code() {
          return app.code();
        },
      };
      return at('auth/second-factor/disable', body, person);
    }),
  };

  return { changes, secrets, secret, invite, withSecondFactor };
}
