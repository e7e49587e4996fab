import type { TemplateStatus } from '@app/contracts/template.words';
import { AccountFixture } from '../../support/database/fixture';
import { LOST_ANSWER, TemplateScene, WABA } from '../../support/scenes/template.scene';

let scene: TemplateScene;
let names = 0;
let name: string;

const at = (seconds: number): Date => new Date(Date.UTC(2040, 0, 1, 0, 0, seconds));

beforeAll(async () => {
  scene = await TemplateScene.open();
});

beforeEach(() => {
  name = `template_${++names}`;
});

afterAll(() => scene?.close());

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
