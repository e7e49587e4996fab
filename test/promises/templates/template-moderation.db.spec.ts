import { COMMAND_LINE } from '@app/domain/accounts/principal.rules';
import type {
  ProviderTemplate,
  TemplateDefinition,
  TemplateGatewayFailure,
} from '@app/domain/templates/template-gateway.port';
import type { TemplateStatus } from '@app/contracts/template.words';
import { eventually } from '../../support/eventually';
import { listed, LOST_ANSWER, WABA, setTemplateScene } from '../../support/scenes/template.scene';
import { AccountFixture } from '../../support/database/fixture';

const REFUSED: TemplateGatewayFailure = {
  ok: false,
  code: 'PROVIDER_ERROR',
  message: 'The name is taken.',
  response: { error: { code: 2388024 } },
};

const scene = setTemplateScene();
let names = 0;
let name: string;

beforeEach(() => {
  name = `template_${++names}`;
});

/** What the log tells of a template's states: who decided, and between which. */
const told = async (id: string): Promise<string[]> => {
  const { rows } = await scene.database.pool.query<{ change: string }>(
    `SELECT concat_ws(' ', body ->> 'by', body ->> 'from', body ->> 'to', body ->> 'reason') AS change
       FROM events WHERE type = 'template' AND body ->> 'id' = $1 ORDER BY seq`,
    [id],
  );
  return rows.map(({ change }) => change);
};

describe('a submission', () => {
  it('reaches the provider once, however many submit at the same time, with all of the template', async () => {
    const definition: TemplateDefinition = {
      name,
      language: 'en',
      category: 'marketing',
      parameterFormat: 'named',
      header: { format: 'text', text: 'For {{who}}' },
      body: 'Hello {{who}}!',
      footer: 'Bye',
      buttons: [{ type: 'quick_reply', text: 'Yes' }],
      examples: { header: 'you', body: ['Aida'] },
      addSecurityRecommendation: false,
      codeExpirationMinutes: null,
    };
    const { id } = await scene.draft(name, definition);
    const before = scene.gateway.created.length;
    scene.gateway.onCreate = () =>
      Promise.resolve({ ok: true, providerId: `provider ${name}`, status: 'pending' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => scene.submit(id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['pending']));
    const asked = scene.gateway.created.slice(before);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ template: definition, connection: { credential: 'the token' } });
    expect(await scene.read(id)).toMatchObject({
      status: 'pending',
      provider_id: `provider ${name}`,
      reason: null,
    });
  });

  it('refused by the provider leaves a draft with the reason, shows the answer, and may be tried again', async () => {
    const { id } = await scene.draft(name);
    scene.gateway.onCreate = () => Promise.resolve(REFUSED);
    const { code, response: value } = REFUSED;
    await expect(scene.submit(id)).rejects.toMatchObject({ code, providerResponse: { value } });
    expect(await scene.read(id)).toMatchObject({
      status: 'draft',
      reason: REFUSED.message,
      provider_id: null,
    });
    scene.gateway.onCreate = () => Promise.resolve({ ok: true, providerId: name, status: 'approved' });
    expect(await scene.submit(id)).toMatchObject({ status: 'approved', reason: null });
    expect(await told(id)).toEqual([
      'SYSTEM draft pending',
      `PROVIDER pending draft ${REFUSED.message}`,
      'SYSTEM draft pending',
      'PROVIDER pending approved',
    ]);
  });

  it('whose answer was lost stays pending and is not made again', async () => {
    const { id } = await scene.draft(name);
    scene.gateway.onCreate = () => Promise.resolve(LOST_ANSWER);
    await expect(scene.submit(id)).rejects.toMatchObject({
      code: 'PROVIDER_ERROR',
      providerResponse: { value: null },
    });
    const before = scene.gateway.created.length;
    expect(await scene.submit(id)).toMatchObject({ status: 'pending', reason: LOST_ANSWER.message });
    expect(scene.gateway.created).toHaveLength(before);
  });

  it('holds no lock while the provider works, and a webhook that comes before the answer is kept', async () => {
    const { id } = await scene.draft(name);
    scene.gateway.onCreate = async () => {
      await scene.report({ providerId: `quick ${name}`, name, businessId: WABA, at: new Date(0) });
      return { ok: true, providerId: `quick ${name}`, status: 'pending' };
    };
    expect(await scene.submit(id)).toMatchObject({ status: 'approved', provider_id: `quick ${name}` });
  });
});

describe('a synchronisation', () => {
  const READ = { listed: 3, unreadable: 0 };

  it('adds what is new, changes what differs, disables what is gone, leaves drafts, and then finds nothing to do', async () => {
    const botId = await scene.addBot();
    const gone = await scene.submitted(`${name}_gone`, botId);
    const known = await scene.submitted(`${name}_known`, botId);
    const draft = await scene.draft(`${name}_draft`, { botId });
    const there = listed(`${name}_known`, {
      providerId: known.provider_id!,
      body: 'Hello {{1}}!',
      category: 'marketing',
    });
    const named = { body: 'For {{who}}, {{when}}, {{who}}!', parameterFormat: 'named' as const };
    scene.gateway.lists(
      there,
      listed(`${name}_new`, named),
      listed(`${name}_new`, { language: 'en', status: 'paused' }),
    );
    expect(await scene.synchronise(botId)).toEqual({ ...READ, added: 2, changed: 1, disabled: 1 });
    expect(await scene.kept(botId)).toMatchObject([
      { id: draft.id, status: 'draft' },
      { id: gone.id, status: 'disabled' },
      { id: known.id, status: 'approved', body: 'Hello {{1}}!', params_count: 1, category: 'marketing' },
      { template_id: `${name}_new`, language: 'en', status: 'paused', params_count: 0 },
      {
        template_id: `${name}_new`,
        language: 'ru',
        status: 'approved',
        params_count: 2,
        param_names: ['who', 'when'],
      },
    ]);
    expect(await scene.synchronise(botId)).toEqual({ ...READ, added: 0, changed: 0, disabled: 0 });
    expect(await told(gone.id)).toEqual([
      'SYSTEM draft pending',
      'PROVIDER pending disabled The provider no longer has it.',
    ]);
    expect(await told(known.id)).toEqual(['SYSTEM draft pending', 'PROVIDER pending approved']);
  });

  it('keeps what it knows where the provider lists a template that cannot be read, and takes the others', async () => {
    const botId = await scene.addBot();
    const known = await scene.submitted(`${name}_known`, botId);
    scene.gateway.onCreate = () => Promise.resolve(LOST_ANSWER);
    const doubted = await scene.draft(`${name}_doubted`, { botId });
    await expect(scene.submit(doubted.id)).rejects.toThrow();
    const templates = [listed(`${name}_new`)];
    scene.gateway.onList = () => Promise.resolve({ ok: true, templates, unreadable: 1 });
    expect(await scene.synchronise(botId)).toEqual({
      ...{ listed: 1, unreadable: 1, added: 1, changed: 0, disabled: 0 },
    });
    expect(await scene.kept(botId)).toMatchObject([
      { id: doubted.id, status: 'pending' },
      { id: known.id, status: 'pending' },
      { name: `${name}_new`, status: 'approved' },
    ]);
  });

  it('takes the samples that the provider lists, and leaves those of ours that it does not', async () => {
    const botId = await scene.addBot();
    const content = { header: { format: 'image' }, body: 'Hello {{1}}!' } as const;
    const ours = await scene.draft(`${name}_ours`, {
      botId,
      ...content,
      examples: { header: '4::a', body: ['x'] },
    });
    const examples = { body: ['Aida'] };
    scene.gateway.lists(
      listed(`${name}_new`, { ...content, examples, status: 'rejected' }),
      listed(`${name}_ours`, { ...content, examples }),
      listed(`${name}_z_code`, { category: 'authentication', examples: { body: ['123456'] } }),
    );
    await scene.synchronise(botId);
    const [added, taken, code] = await scene.kept(botId);
    expect(code).toMatchObject({ category: 'authentication', examples: {} });
    expect(added).toMatchObject({ status: 'rejected', examples });
    expect(taken).toMatchObject({ id: ours.id, examples: { header: '4::a', body: ['Aida'] } });
    expect(await scene.synchronise(botId)).toMatchObject({ added: 0, changed: 0 });
    // What a person has changed since, to submit it again, is theirs.
    await scene.mend(added?.id ?? '', { examples: { body: ['Bota'] } });
    await scene.synchronise(botId);
    expect(await scene.read(added?.id ?? '')).toMatchObject({ examples: { body: ['Bota'] } });
  });

  it('keeps our own name for what the provider names otherwise, and gives no name twice', async () => {
    const botId = await scene.addBot();
    await scene.draft(`${name}_v2`, { botId, templateId: name });
    scene.gateway.lists(listed(`${name}_v2`), listed(name));
    expect(await scene.synchronise(botId)).toMatchObject({ added: 1, changed: 1 });
    expect(await scene.kept(botId)).toMatchObject([
      { name, template_id: `${name}:id of ${name}` },
      { name: `${name}_v2`, template_id: name },
    ]);
  });

  it('leaves a draft that says something else under the same name, until it is removed', async () => {
    const botId = await scene.addBot();
    const typed = await scene.draft(name, { botId, header: { format: 'text', text: 'For you' } });
    scene.gateway.lists(listed(name));
    expect(await scene.synchronise(botId)).toMatchObject({ added: 0, changed: 0 });
    expect(await scene.read(typed.id)).toEqual(typed);
    await scene.templates().removeDraft(COMMAND_LINE, typed.id);
    expect(await scene.synchronise(botId)).toMatchObject({ added: 1 });
  });

  it('takes of several of one name and language the one that is most alive', async () => {
    const botId = await scene.addBot();
    const all = ['disabled', 'approved', 'rejected'] as const;
    scene.gateway.lists(...all.map((status) => listed(name, { status, providerId: status })));
    expect(await scene.synchronise(botId)).toMatchObject({ listed: 1, added: 1 });
    expect(await scene.kept(botId)).toMatchObject([{ status: 'approved', provider_id: 'approved' }]);
  });

  it('settles a submission whose answer was lost: it is there, or a draft again', async () => {
    const botId = await scene.addBot();
    scene.gateway.onCreate = () => Promise.resolve(LOST_ANSWER);
    for (const taken of ['taken', 'not_taken']) {
      const { id } = await scene.draft(`${name}_${taken}`, { botId });
      await expect(scene.submit(id)).rejects.toThrow();
    }
    scene.gateway.lists(listed(`${name}_taken`, { status: 'rejected', reason: 'SCAM' }));
    await scene.synchronise(botId);
    expect(await scene.kept(botId)).toMatchObject([
      { name: `${name}_not_taken`, status: 'draft', provider_id: null },
      { name: `${name}_taken`, status: 'rejected', reason: 'SCAM', provider_id: `id of ${name}_taken` },
    ]);
  });

  it('leaves a submission that is under way alone, and makes one that died five minutes ago a draft again', async () => {
    const botId = await scene.addBot();
    const { id } = await scene.draft(name, { botId });
    scene.gateway.onCreate = () => new Promise(() => undefined);
    void scene.submit(id);
    const { pool } = scene.database;
    const isClaimed = async () => (await scene.read(id)).status === 'pending';
    await eventually(isClaimed, 10_000, 'the submission did not begin');
    scene.gateway.lists();
    await scene.synchronise(botId);
    expect(await scene.read(id)).toMatchObject({ status: 'pending' });
    await pool.query(`UPDATE templates SET updated_at = updated_at - interval '6 minutes' WHERE id = $1`, [
      id,
    ]);
    await scene.synchronise(botId);
    expect(await scene.read(id)).toMatchObject({ status: 'draft' });
  });

  it('does not overwrite what a webhook reported or a person created while the list was read', async () => {
    const botId = await scene.addBot();
    const { id, provider_id: providerId } = await scene.submitted(name, botId);
    scene.gateway.onList = async () => {
      await scene.report({ providerId: providerId!, status: 'approved' });
      await scene.submitted(`${name}_later`, botId);
      scene.gateway.lists(listed(name, { providerId: providerId!, status: 'pending' }));
      return scene.gateway.list();
    };
    expect(await scene.synchronise(botId)).toMatchObject({ changed: 0, disabled: 0 });
    expect(await scene.read(id)).toMatchObject({ status: 'approved' });
  });

  it('keeps a list with characters that no database keeps', async () => {
    const botId = await scene.addBot();
    scene.gateway.lists(listed(name, { body: 'a\0b\ud800c', footer: '\0' }));
    await scene.synchronise(botId);
    expect(await scene.kept(botId)).toMatchObject([{ body: 'ab\ufffdc', footer: '' }]);
  });

  it('that the provider refuses changes nothing and shows its answer', async () => {
    const botId = await scene.addBot();
    const { id } = await scene.submitted(name, botId);
    scene.gateway.onList = () => Promise.resolve(REFUSED);
    await expect(scene.synchronise(botId)).rejects.toMatchObject({
      providerResponse: { value: REFUSED.response },
    });
    expect(await scene.read(id)).toMatchObject({ status: 'pending' });
  });
});

const at = (seconds: number): Date => new Date(Date.UTC(2040, 0, 1, 0, 0, seconds));

describe('a report by webhook', () => {
  const serve = (template: ProviderTemplate): void => {
    scene.gateway.onFetch = () => Promise.resolve({ ok: true, template });
  };

  it('of a template that a bot lacks has it fetched, once, and leaves the others as they are', async () => {
    const other = await scene.submitted('bystander');
    const providerId = 'of-meta';
    const buttons = [
      { type: 'other' as const, text: 'Book' },
      { type: 'url' as const, text: 'Map', url: 'https://a.example/{{1}}' },
    ];
    serve(listed('made_at_meta', { providerId, buttons, quality: 'green' }));
    await scene.hear({ providerId, name: 'made_at_meta', status: 'approved' });
    const fetched = async () => (await scene.kept()).find(({ name }) => name === 'made_at_meta');
    const template = await fetched();
    expect(template).toMatchObject({
      status: 'approved',
      buttons,
      quality: 'green',
      provider_id: providerId,
    });
    const calls = scene.gateway.fetched.filter((id) => id === providerId).length;
    await scene.hear({ providerId, name: 'made_at_meta', status: 'paused' });
    expect(scene.gateway.fetched.filter((id) => id === providerId)).toHaveLength(calls);
    expect(await fetched()).toMatchObject({ id: template?.id, status: 'paused' });
    expect(await scene.read(other.id)).toMatchObject({ status: 'pending' });
    const refused = expect.objectContaining({ code: 'VALIDATION_ERROR' }) as unknown;
    await scene.hear({ providerId, name: 'made_at_meta', status: 'rejected' });
    await expect(scene.submit(template?.id ?? '')).rejects.toEqual(refused);
    await expect(scene.mend(template?.id ?? '', { body: 'Other' })).rejects.toEqual(refused);
  });

  it('leaves a draft of the same name as it was typed, and takes over one that says the same', async () => {
    const botId = await scene.addBot();
    const typed = await scene.draft(name, { botId, body: 'Typed here', footer: 'Bye' });
    const same = await scene.draft(`${name}_same`, { botId });
    for (const its of [typed.name, same.name]) {
      const providerId = `of Meta ${its}`;
      serve(listed(its, { providerId }));
      await scene.hear({ providerId, name: its, status: 'approved' });
    }
    expect(await scene.read(typed.id)).toEqual(typed);
    expect(await scene.read(same.id)).toMatchObject({ status: 'approved', body: same.body });
  });

  it('of its quality is kept, and of its content has it fetched', async () => {
    const providerId = 'edited';
    serve(listed('edited_at_meta', { providerId }));
    await scene.hear({ providerId, name: 'edited_at_meta', status: 'approved' });
    await scene.hear({ providerId, name: 'edited_at_meta', quality: 'red' });
    const now = async () => (await scene.kept()).find(({ name }) => name === 'edited_at_meta');
    expect(await now()).toMatchObject({ quality: 'red', status: 'approved' });
    serve(listed('edited_at_meta', { providerId, body: 'Добрый день!', quality: null }));
    await scene.hear({ providerId, name: 'edited_at_meta', isEdited: true });
    expect(await now()).toMatchObject({ body: 'Добрый день!', quality: 'red' });
  });

  it('waits no longer than a moment for a provider that hangs, and then for a while not at all', async () => {
    scene.gateway.onFetch = () => new Promise(() => undefined);
    const hear = scene.listener();
    const refused = 'takes too long';
    await expect(hear({ providerId: 'hangs', name: 'hangs', status: 'approved' })).rejects.toThrow(refused);
    const calls = scene.gateway.fetched.length;
    await expect(hear({ providerId: 'next', name: 'next', status: 'approved' })).rejects.toThrow(refused);
    expect(scene.gateway.fetched).toHaveLength(calls);
  });

  it('waits for no number but the one that hangs, whose turn comes again later', async () => {
    const [slow, quick] = await Promise.all([scene.addBot(), scene.addBot()]);
    const asked: string[] = [];
    scene.gateway.onFetch = (providerId, botId) => {
      asked.push(botId);
      if (botId === slow) return new Promise(() => undefined);
      return Promise.resolve({ ok: true, template: listed(providerId, { providerId }) });
    };
    const hear = scene.listener();
    for (const providerId of [name, `${name}_next`]) {
      const report = { providerId, name: providerId, status: 'approved' as const };
      await expect(hear(report)).rejects.toThrow('takes too long');
      expect((await scene.kept(quick)).map((one) => one.name)).toContain(providerId);
    }
    expect(asked.filter((botId) => botId === slow)).toHaveLength(1);
  });

  it('of one that cannot be fetched fails, and of one that is gone asks for nothing', async () => {
    scene.gateway.onFetch = () => Promise.resolve(LOST_ANSWER);
    const report = { providerId: 'nowhere', name: 'nowhere' };
    await expect(scene.hear({ ...report, status: 'approved' })).rejects.toThrow(LOST_ANSWER.message);
    const calls = scene.gateway.fetched.length;
    await scene.hear({ ...report, status: 'disabled' });
    expect(scene.gateway.fetched).toHaveLength(calls);
  });
});

describe('a report of the provider', () => {
  it('is for every bot that shares the template, and for no other account', async () => {
    const other = await AccountFixture.create(scene.database.pool);
    const shared = await Promise.all([scene.addBot(), scene.addBot()]);
    const providerId = `shared ${name}`;
    for (const botId of shared) await scene.submitted(name, botId, providerId);
    const foreign = await scene.addBot(other);
    const { id } = await scene.submitted(name, foreign, providerId);
    await scene.report({
      providerId,
      status: 'paused',
      reason: 'FIRST_PAUSE',
      category: 'MARKETING',
      at: at(1),
    });
    for (const botId of shared) {
      const paused = {
        status: 'paused',
        reason: 'FIRST_PAUSE',
        category: 'marketing',
        status_at: at(1).toISOString(),
      };
      expect(await scene.kept(botId)).toMatchObject([paused]);
    }
    expect(await scene.read(id)).toMatchObject({ status: 'pending', category: 'utility' });
  });

  it.each<[string, string | null, TemplateStatus]>([
    ['of its business account', WABA, 'approved'],
    ['of none that is named', null, 'approved'],
    ['of another business account', '999999', 'pending'],
  ])('%s finds by name and language a template whose id is not known yet', async (_, businessId, status) => {
    const { id } = await scene.draft(name, { language: 'en_US' });
    scene.gateway.onCreate = () => Promise.resolve(LOST_ANSWER);
    await expect(scene.submit(id)).rejects.toThrow();
    await scene.report({ providerId: `told ${name}`, name, language: 'en', businessId });
    expect(await scene.read(id)).toMatchObject({ status: 'pending' });
    await scene.report({ providerId: `told ${name}`, name, language: 'en-US', businessId });
    expect(await scene.read(id)).toMatchObject({
      status,
      provider_id: status === 'approved' ? `told ${name}` : null,
    });
  });

  it('to the address of a bot is about that bot alone, and about the channel of the address', async () => {
    const [told, other] = await Promise.all([scene.addBot(), scene.addBot()]);
    scene.gateway.onCreate = () => Promise.resolve(LOST_ANSWER);
    for (const botId of [told, other]) {
      await expect(scene.submit((await scene.draft(name, { botId })).id)).rejects.toThrow();
    }
    const report = { providerId: `told ${name}`, name };
    await scene.report(report, { botId: told, channel: 'waba' });
    expect([await scene.kept(told), await scene.kept(other)]).toMatchObject([
      [{ status: 'pending' }],
      [{ status: 'pending' }],
    ]);
    await scene.report(report, { botId: told });
    expect([await scene.kept(told), await scene.kept(other)]).toMatchObject([
      [{ status: 'approved', provider_id: `told ${name}` }],
      [{ status: 'pending', provider_id: null }],
    ]);
  });

  it('touches no draft, and no other template of the same name', async () => {
    const { id } = await scene.draft(name);
    await scene.report({ name, businessId: WABA });
    expect(await scene.read(id)).toMatchObject({ status: 'draft' });
    const known = await scene.submitted(`${name}_known`);
    await scene.report({ name: `${name}_known`, status: 'disabled', businessId: WABA });
    expect(await scene.read(known.id)).toMatchObject({ status: 'pending' });
  });

  it('that says nothing of the status leaves it, with its reason', async () => {
    const { id, provider_id: providerId } = await scene.submitted(name);
    await scene.report({ providerId: providerId!, status: 'rejected', reason: 'SCAM', at: at(1) });
    await scene.report({ providerId: providerId!, status: null, category: 'UNHEARD_OF', at: at(2) });
    expect(await scene.read(id)).toMatchObject({ status: 'rejected', reason: 'SCAM', category: 'utility' });
  });

  it('in whatever order it comes, however often, the last one by the provider’s clock is kept', async () => {
    const reports = (['rejected', 'approved', 'paused', 'disabled'] as const).map((status, second) => ({
      ...{ status, at: at(second), reason: `reason of ${status}` },
    }));
    for (const order of permutations(reports)) {
      const template = await scene.submitted(`${name}_${order.map(({ status }) => status).join('_')}`);
      for (const report of [...order, ...order])
        await scene.report({ providerId: template.provider_id!, ...report });
      expect(await scene.read(template.id)).toMatchObject({
        status: 'disabled',
        reason: 'reason of disabled',
      });
    }
  });

  it('of the same second as the one before it counts, for providers tell whole seconds', async () => {
    const { id, provider_id: providerId } = await scene.submitted(name);
    await scene.report({ providerId: providerId!, status: 'rejected', at: new Date(at(1).getTime() + 900) });
    await scene.report({ providerId: providerId!, status: 'approved', at: at(1) });
    expect(await scene.read(id)).toMatchObject({ status: 'approved', reason: null });
  });
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [item, ...rest]),
  );
}
