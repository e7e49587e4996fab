import type { TemplateGatewayFailure } from '@app/domain/templates/template-gateway.port';
import type { TemplateChange } from '@app/domain/templates/templates.service';
import { eventually } from '../../support/eventually';
import { listed, LOST_ANSWER, setTemplateScene } from '../../support/scenes/template.scene';
import { untilWaiting } from '../../support/faults/waiting.sessions';

const REFUSED: TemplateGatewayFailure = {
  ok: false,
  code: 'PROVIDER_ERROR',
  message: 'It cannot be edited.',
  response: { error: { code: 100 } },
};

const scene = setTemplateScene();
let names = 0;
let name: string;

beforeEach(() => {
  name = `template_${++names}`;
  scene.gateway.onEdit = null;
});

describe('a submission of a rejected template', () => {
  it('edits it at the provider, once, with all of its changed content', async () => {
    const { id, provider_id: providerId } = await scene.rejected(name);
    const change: TemplateChange = {
      category: 'marketing',
      header: { format: 'text', text: 'For you' },
      body: 'Hello {{1}}, see you on {{2}}!',
      footer: 'Bye',
      buttons: [{ type: 'quick_reply', text: 'Yes' }],
      examples: { body: ['Aida', 'Monday'] },
    };
    expect(await scene.mend(id, change)).toMatchObject({ ...change, status: 'rejected', params_count: 2 });
    const before = [scene.gateway.created.length, scene.gateway.edited.length];
    const answers = await Promise.all(Array.from({ length: 10 }, () => scene.submit(id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['pending']));
    expect(scene.gateway.created).toHaveLength(before[0]!);
    expect(scene.gateway.edited.slice(before[1])).toMatchObject([
      { providerId, template: { ...change, name, language: 'ru' }, connection: { credential: 'the token' } },
    ]);
    expect(await scene.read(id)).toMatchObject({
      ...{ ...change, status: 'pending', provider_id: providerId, reason: null },
    });
  });

  it('creates it when the provider does not know it', async () => {
    const { id } = await scene.draft(name);
    await scene.database.pool.query(`UPDATE templates SET status = 'rejected' WHERE id = $1`, [id]);
    scene.gateway.onCreate = () => Promise.resolve({ ok: true, providerId: name, status: 'pending' });
    const before = scene.gateway.edited.length;
    expect(await scene.submit(id)).toMatchObject({ status: 'pending', provider_id: name });
    expect(scene.gateway.edited).toHaveLength(before);
  });

  it('refused by the provider leaves it rejected, shows the answer, and it may be changed again', async () => {
    const { id } = await scene.rejected(name);
    scene.gateway.onEdit = () => Promise.resolve(REFUSED);
    const { code, response: value } = REFUSED;
    await expect(scene.submit(id)).rejects.toMatchObject({ code, providerResponse: { value } });
    expect(await scene.read(id)).toMatchObject({ status: 'rejected', reason: REFUSED.message });
    expect(await scene.mend(id, { body: 'Снова' })).toMatchObject({ status: 'rejected', body: 'Снова' });
  });

  it('whose answer was lost stays pending and is not edited again', async () => {
    const { id } = await scene.rejected(name);
    scene.gateway.onEdit = () => Promise.resolve(LOST_ANSWER);
    await expect(scene.submit(id)).rejects.toMatchObject({ code: 'PROVIDER_ERROR' });
    const before = scene.gateway.edited.length;
    expect(await scene.submit(id)).toMatchObject({ status: 'pending', reason: LOST_ANSWER.message });
    expect(scene.gateway.edited).toHaveLength(before);
  });

  it('submits what a change that is quicker has made of the template', async () => {
    const { id } = await scene.rejected(name);
    const holder = await scene.database.pool.connect();
    await holder.query('BEGIN');
    await holder.query(`UPDATE templates SET body = 'Newest', updated_at = clock_timestamp() WHERE id = $1`, [
      id,
    ]);
    const submission = scene.submit(id);
    await untilWaiting(scene.database.pool, 1);
    await holder.query('COMMIT');
    holder.release();
    expect(await submission).toMatchObject({ body: 'Newest' });
    expect(scene.gateway.edited.at(-1)).toMatchObject({ template: { body: 'Newest' } });
  });

  it('whose verdict is quicker than its answer is rejected with the reason of the verdict', async () => {
    const { id } = await scene.rejected(name);
    scene.gateway.onEdit = async (providerId) => {
      const at = new Date(Date.now() + 1_000);
      await scene.report({ providerId, status: 'rejected', reason: 'PROMOTIONAL', at });
      return { ok: true, providerId, status: 'pending' };
    };
    expect(await scene.submit(id)).toMatchObject({ status: 'rejected', reason: 'PROMOTIONAL' });
  });

  it('keeps changes away from what it submits', async () => {
    const { id } = await scene.rejected(name);
    scene.gateway.onEdit = async (providerId) => {
      await expect(scene.mend(id, { body: 'Later' })).rejects.toMatchObject({ code: 'TEMPLATE_CONFLICT' });
      return { ok: true, providerId, status: 'pending' };
    };
    expect(await scene.submit(id)).toMatchObject({ status: 'pending', body: 'Привет!' });
  });
});

describe('a synchronisation', () => {
  it('keeps the changes of a rejected one, and says why it is rejected', async () => {
    const botId = await scene.addBot();
    const { id, provider_id: providerId } = await scene.rejected(name, botId);
    await scene.mend(id, { body: 'Добрый день!' });
    scene.gateway.lists(listed(name, { providerId: providerId!, status: 'rejected', reason: 'SCAM' }));
    expect(await scene.synchronise(botId)).toMatchObject({ changed: 1 });
    expect(await scene.read(id)).toMatchObject({ status: 'rejected', body: 'Добрый день!', reason: 'SCAM' });
    expect(await scene.synchronise(botId)).toMatchObject({ changed: 0 });
  });

  it.each([
    ['taken', 'pending', null],
    ['not taken', 'rejected', 'SCAM'],
  ] as const)('settles an edit whose answer was lost and that was %s', async (_, status, reason) => {
    const botId = await scene.addBot();
    const { id, provider_id: providerId } = await scene.rejected(name, botId);
    await scene.mend(id, { body: 'Добрый день!' });
    scene.gateway.onEdit = () => Promise.resolve(LOST_ANSWER);
    await expect(scene.submit(id)).rejects.toThrow();
    const body = status === 'pending' ? 'Добрый день!' : 'Привет!';
    scene.gateway.lists(listed(name, { providerId: providerId!, status, reason, body }));
    await scene.synchronise(botId);
    expect(await scene.read(id)).toMatchObject({ status, reason, body: 'Добрый день!' });
  });

  it('leaves an edit under way alone, and makes one that died five minutes ago rejected again', async () => {
    const botId = await scene.addBot();
    const { id, provider_id: providerId } = await scene.rejected(name, botId);
    scene.gateway.onEdit = () => new Promise(() => undefined);
    void scene.submit(id);
    const isClaimed = async () => (await scene.read(id)).status === 'pending';
    await eventually(isClaimed, 10_000, 'the submission did not begin');
    scene.gateway.lists(listed(name, { providerId: providerId!, status: 'rejected' }));
    await scene.synchronise(botId);
    expect(await scene.read(id)).toMatchObject({ status: 'pending' });
    await scene.database.pool.query(
      `UPDATE templates SET updated_at = updated_at - interval '6 minutes' WHERE id = $1`,
      [id],
    );
    await scene.synchronise(botId);
    expect(await scene.read(id)).toMatchObject({ status: 'rejected' });
  });
});
