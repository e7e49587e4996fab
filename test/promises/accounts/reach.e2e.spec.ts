import { randomUUIDv7 } from 'node:crypto';
import { AccountsService } from '@app/domain/accounts/accounts.service';
import { ApiKeysService } from '@app/domain/accounts/api-keys.service';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { Audit } from '@app/domain/audit/audit.service';
import { AssistantToolsService } from '@app/domain/assistants/assistant-tools.service';
import { AssistantsService } from '@app/domain/assistants/assistants.service';
import { StagesService } from '@app/domain/assistants/stages.service';
import { BotsService } from '@app/domain/bots/bots.service';
import { RunControl } from '@app/domain/scenarios/run-control.service';
import { RunLists } from '@app/domain/scenarios/run-lists.service';
import { ScenarioStarts } from '@app/domain/scenarios/scenario-starts.service';
import { ScenarioTrials } from '@app/domain/scenarios/scenario-trials.service';
import { ScenariosService } from '@app/domain/scenarios/scenarios.service';
import { TemplateModerationService } from '@app/domain/templates/template-moderation.service';
import { TemplatesService } from '@app/domain/templates/templates.service';
import { AccountRepository } from '@app/persistence/accounts/account.repository';
import { ApiKeyRepository } from '@app/persistence/accounts/api-key.repository';
import { AssistantToolRepository } from '@app/persistence/assistants/assistant-tool.repository';
import { AssistantRepository } from '@app/persistence/assistants/assistant.repository';
import { StageRepository } from '@app/persistence/assistants/stage.repository';
import { AuditRepository } from '@app/persistence/audit/audit.repository';
import { BotRepository } from '@app/persistence/bots/bot.repository';
import { PersistenceModule } from '@app/persistence/persistence.module';
import { RunListRepository } from '@app/persistence/scenarios/run-list.repository';
import { ScenarioStartRepository } from '@app/persistence/scenarios/scenario-start.repository';
import { ScenarioTrialRepository } from '@app/persistence/scenarios/scenario-trial.repository';
import { ScenarioRepository } from '@app/persistence/scenarios/scenario.repository';
import { TemplateRepository } from '@app/persistence/templates/template.repository';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { thingsOf, type Things } from '../../support/database/account.things';
import { AccountFixture } from '../../support/database/fixture';
import { createDatabase, type TestDatabase } from '../../support/database/test.database';

let database: TestDatabase;
let app: INestApplicationContext;
let services: Services;
let own: Things;
let foreign: Things;

const nothing = {} as never;

function servicesOf() {
  const of = <T>(type: new (...given: never[]) => T): T => app.get(type, { strict: false });
  const [accounts, keys, assistants] = [of(AccountRepository), of(ApiKeyRepository), of(AssistantRepository)];
  const [bots, templates, runs] = [of(BotRepository), of(TemplateRepository), of(RunListRepository)];
  const lists = new RunLists(runs);
  const audit = new Audit(of(AuditRepository));
  return {
    accounts: new AccountsService(accounts, audit),
    keys: new ApiKeysService(keys, accounts, audit),
    assistants: new AssistantsService(assistants, audit),
    tools: new AssistantToolsService(of(AssistantToolRepository), assistants, nothing, nothing, audit),
    stages: new StagesService(of(StageRepository), assistants, nothing, nothing, nothing, audit),
    bots: new BotsService(bots, nothing, accounts, nothing, { publicUrl: '', gupshupToken: '' }, audit),
    templates: new TemplatesService(templates, nothing, bots, nothing, audit),
    moderation: new TemplateModerationService(
      templates,
      nothing,
      nothing,
      bots,
      nothing,
      nothing,
      audit,
      nothing,
      nothing,
    ),
    scenarios: new ScenariosService(of(ScenarioRepository), nothing, nothing, nothing, nothing, audit),
    runs: lists,
    control: new RunControl(nothing, runs, lists, nothing, nothing, nothing, audit),
    starts: new ScenarioStarts(of(ScenarioStartRepository), nothing, nothing, audit),
    trials: new ScenarioTrials(of(ScenarioTrialRepository)),
  };
}

type Services = ReturnType<typeof servicesOf>;

const person = (role: 'admin' | 'operator', accountId: string, assistantIds: string[] = []): Principal => ({
  ...({ type: 'user', id: randomUUIDv7(), name: 'Dana', role, accountId, assistantIds } as const),
  ...{ scopes: [], botIds: [] },
});

/** What an operator may do too. */
const READS: Record<string, (by: Principal, of: Things) => Promise<unknown>> = {
  'assistants.get': (by, of) => services.assistants.get(by, of.assistant),
  'stages.get': (by, of) => services.stages.get(by, of.stage),
  'bots.get': (by, of) => services.bots.get(by, of.bot),
  'templates.get': (by, of) => services.templates.get(by, of.template),
  'scenarios.get': (by, of) => services.scenarios.get(by, of.scenario),
  'runs.get': (by, of) => services.runs.get(by, of.run),
};

const CALLS: Record<string, (by: Principal, of: Things) => Promise<unknown>> = {
  ...READS,
  'accounts.get': (by, of) => services.accounts.get(by, of.account),
  'accounts.change': (by, of) => services.accounts.change(by, of.account, { name: 'Mine' }),
  'keys.issue': (by, of) =>
    services.keys.issue(by, {
      ...{ accountId: of.account, name: 'Mine', scopes: ['leads'], botIds: [], assistantIds: [] },
    }),
  'keys.change': (by, of) => services.keys.change(by, of.key, { name: 'Mine' }),
  'keys.rotate': (by, of) => services.keys.rotate(by, of.key),
  'keys.revoke': (by, of) => services.keys.revoke(by, of.key),
  'assistants.create': (by, of) => services.assistants.create(by, of.account, 'Mine', {}),
  'assistants.change': (by, of) => services.assistants.change(by, of.assistant, { name: 'Mine' }),
  'tools.list': (by, of) => services.tools.list(by, of.assistant, null, 9),
  'tools.remove': (by, of) => services.tools.remove(by, of.assistant, of.tool),
  'stages.create': (by, of) => services.stages.create(by, of.assistant, { name: 'x', kind: 'active' }),
  'stages.change': (by, of) => services.stages.change(by, of.stage, { description: 'Mine' }),
  'stages.archive': (by, of) => services.stages.archive(by, of.stage),
  'bots.create': (by, of) => services.bots.create(by, of.account, of.assistant, 'Mine'),
  'bots.change': (by, of) => services.bots.change(by, of.bot, { name: 'Mine' }),
  'bots.disconnect': (by, of) => services.bots.disconnect(by, of.bot, 'waba_coexistence'),
  'templates.removeDraft': (by, of) => services.templates.removeDraft(by, of.template),
  'templates.submit': (by, of) => services.moderation.submit(by, of.template),
  'templates.synchronise': (by, of) => services.moderation.synchronise(by, of.bot, 'waba_coexistence'),
  'scenarios.create': (by, of) => services.scenarios.create(by, of.stage, { name: 'Mine' }),
  'scenarios.change': (by, of) => services.scenarios.change(by, of.scenario, { name: 'Mine' }, false),
  'scenarios.cancelRuns': (by, of) => services.scenarios.cancelRuns(by, of.scenario),
  'scenarios.archive': (by, of) => services.scenarios.archive(by, of.scenario),
  'scenarios.rotateSecret': (by, of) => services.scenarios.rotateSecret(by, of.scenario),
  'runs.cancel': (by, of) => services.control.cancel(by, of.run),
  'runs.retry': (by, of) => services.control.retry(by, of.run, 'start'),
  'runs.resolve': (by, of) => services.control.resolve(by, of.run, 0, true),
  'scenarios.start': (by, of) => services.starts.start(by, of.scenario, null, true),
  'scenarios.try': (by, of) =>
    services.trials.play(by, of.scenario, { threadId: null, startsAt: null, replies: [] }),
};

const LISTS: Record<string, (by: Principal) => Promise<object[]>> = {
  assistants: (by) => services.assistants.list(by, null, null, 99),
  stages: (by) => services.stages.list(by, null, null, 99),
  bots: (by) => services.bots.list(by, null, null, 99),
  templates: (by) => services.templates.list(by, { botId: null, channel: null, status: null }, null, 99),
  scenarios: (by) => services.scenarios.list(by, { assistantId: null, statusId: null }, null, 99),
  runs: (by) => services.runs.list(by, { scenarioId: null, threadId: null, state: null }, null, 99),
};

const missing = (): Things =>
  Object.fromEntries(Object.keys(own).map((name) => [name, randomUUIDv7()])) as unknown as Things;

const refusalOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'answered',
    ({ code, message, details }: { code: string; message: string; details?: unknown }) => ({
      code,
      message,
      details,
    }),
  );

beforeAll(async () => {
  database = await createDatabase();
  const mine = await AccountFixture.create(database.pool, []);
  const others = await AccountFixture.create(database.pool, []);
  [own, foreign] = [await thingsOf(mine, mine.assistantId), await thingsOf(others, others.assistantId)];
  app = await NestFactory.createApplicationContext(PersistenceModule.forDatabase(database.url), {
    logger: false,
  });
  services = servicesOf();
});

afterAll(async () => {
  await app?.close();
  await database?.drop();
});

it.each(Object.keys(CALLS))(
  '%s tells an admin of another account what it tells of a missing thing',
  async (name) => {
    const call = CALLS[name]!;
    const admin = person('admin', own.account);
    const [of, ofNone] = [await refusalOf(call(admin, foreign)), await refusalOf(call(admin, missing()))];
    expect(of).toMatchObject({ code: expect.stringMatching(/_NOT_FOUND$/) });
    expect(of).toEqual(ofNone);
  },
);

it.each(Object.keys(READS))(
  '%s tells an operator of another agent what it tells of a missing thing',
  async (name) => {
    const call = READS[name]!;
    const elsewhere = person('operator', own.account, [randomUUIDv7()]);
    expect(await refusalOf(call(elsewhere, own))).toEqual(await refusalOf(call(elsewhere, missing())));
    expect(await refusalOf(call(person('operator', own.account, []), own))).toMatchObject({
      code: expect.stringMatching(/_NOT_FOUND$/),
    });
  },
);

it.each(Object.keys(READS))(
  '%s answers an operator of the agent, and an admin of the account',
  async (name) => {
    for (const by of [person('operator', own.account, [own.assistant]), person('admin', own.account)]) {
      expect(await refusalOf(READS[name]!(by, own))).toBe('answered');
    }
  },
);

it.each(Object.keys(LISTS))('the list of %s has what is within reach, and nothing else', async (name) => {
  const list = LISTS[name]!;
  const idsOf = async (by: Principal) => (await list(by)).map((row) => (row as { id: string }).id);
  const { length } = await idsOf(person('admin', own.account));
  expect(length).toBeGreaterThan(0);
  expect(await idsOf(person('operator', own.account, [own.assistant]))).toHaveLength(length);
  expect(await idsOf(person('operator', own.account, [foreign.assistant]))).toEqual([]);
  expect(await idsOf(person('operator', own.account, []))).toEqual([]);
  const all = Object.values(foreign);
  expect((await idsOf(person('admin', own.account))).filter((id) => all.includes(id))).toEqual([]);
});

it('an admin lists the own account and its keys alone', async () => {
  const admin = person('admin', own.account);
  expect((await services.accounts.list(admin, null, 9)).map(({ id }) => id)).toEqual([own.account]);
  expect(await services.accounts.list(admin, own.account, 9)).toEqual([]);
  const keys = await services.keys.list(admin, null, null, 9);
  expect(new Set(keys.map(({ account_id: account }) => account))).toEqual(new Set([own.account]));
  expect(await services.keys.list(admin, foreign.account, null, 9)).toEqual([]);
  expect(await services.bots.list(admin, foreign.account, null, 9)).toEqual([]);
  expect(await services.assistants.list(admin, foreign.account, null, 9)).toEqual([]);
});

it('an admin who names no account means the own one', async () => {
  const admin = person('admin', own.account);
  const given = { name: 'New', scopes: ['leads'] as const, botIds: [], assistantIds: [] };
  expect(await services.keys.issue(admin, given)).toMatchObject({ account_id: own.account });
  expect(await services.assistants.create(admin, undefined, 'New', {})).toMatchObject({
    account_id: own.account,
  });
  expect(await services.bots.create(admin, undefined, own.assistant, 'New')).toMatchObject({
    account_id: own.account,
  });
});

it('an admin changes the own account but its quota, and issues no key of the installation', async () => {
  const admin = person('admin', own.account);
  expect(await services.accounts.change(admin, own.account, { name: 'Renamed' })).toMatchObject({
    name: 'Renamed',
  });
  const quota = services.accounts.change(admin, own.account, { monthlyMessageQuota: null });
  await expect(quota).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const issued = services.keys.issue(admin, { name: 'All', scopes: ['admin'], botIds: [], assistantIds: [] });
  await expect(issued).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const raised = services.keys.change(admin, own.key, { scopes: ['admin'] });
  await expect(raised).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
