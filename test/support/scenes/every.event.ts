import { isDeepStrictEqual } from 'node:util';
import type { WebhookEvent } from '@app/contracts/webhook.words';
import { TransferClient } from '../clients/transfer.client';
import { eventually } from '../eventually';
import { ANSWERS, type EndpointReceiver, type ReceivedEvent } from '../stand-ins/endpoint.receiver';
import { opus } from '../media.samples';
import { wamid } from '../stand-ins/cloud.webhooks';
import { answer, refuse } from '../stand-ins/scripted.provider';
import { newPhone } from './send.scene';
import type { WebhooksOutScene } from './webhooks-out.scene';

const CHANNEL = 'waba_coexistence';
/** The stage whose scenario asks for a person. */
const STAGE = 1;

/** Some fields of an event's data, as they must be. */
export type ToldFields = Record<string, unknown>;

const tells = ({ data }: ReceivedEvent, fields: ToldFields): boolean =>
  Object.entries(fields).every(([name, value]) => isDeepStrictEqual(data[name], value));

/** Waits until each of these was received. @returns the event of each type */
export async function untilToldAll(
  endpoint: EndpointReceiver,
  expected: Record<WebhookEvent, ToldFields>,
): Promise<Record<WebhookEvent, ReceivedEvent>> {
  const found = () =>
    Object.entries(expected).map(([type, fields]): [string, ReceivedEvent | undefined] => [
      type,
      endpoint.accepted.find((event) => event.type === type && tells(event, fields)),
    ]);
  const missing = () => found().flatMap(([type, event]) => (event ? [] : [type]));
  await eventually(async () => missing().length === 0, 20_000, 'not all came').catch(() => {
    const came = endpoint.accepted.map(({ type, data }) => JSON.stringify({ type, data })).join('\n');
    throw new Error(`${missing().join(', ')} did not come so. What came:\n${came}`);
  });
  return Object.fromEntries(found()) as Record<WebhookEvent, ReceivedEvent>;
}

/**
 * Has an event of every type happen, each in another way of the API or the messenger. The number is in trouble afterwards, and the
 * quota used up.
 * @returns by what the event of each type is known
 */
export async function bringAboutAll(scene: WebhooksOutScene): Promise<Record<WebhookEvent, ToldFields>> {
  const { api, provider, account } = scene;
  const gone = await scene.endpoint({ events: ['lead.renamed'] });
  gone.usual = ANSWERS.gone;

  const stranger = newPhone();
  await scene.tell(
    (number, from) => number.message({ ...from, name: 'Салтанат' }, 'Сколько стоит?'),
    stranger,
  );

  const wrong = wamid();
  const edit = { original_message_id: wrong, message: { type: 'text', text: { body: 'Сколько?' } } };
  await scene.tell((number, from) => number.message(from, 'Скок', { id: wrong }), stranger);
  await scene.tell((number, from) => number.message(from, { type: 'edit', edit }), stranger);
  await scene.tell(
    (number, from) => number.message(from, { type: 'revoke', revoke: { original_message_id: wrong } }),
    stranger,
  );

  provider.voices.set('voice-1', { bytes: opus(3), text: 'Перезвоните мне' });
  const voice = { type: 'audio', audio: { id: 'voice-1', mime_type: 'audio/ogg', voice: true } };
  await scene.tell((number, from) => number.message(from, voice), stranger);

  const lead = await scene.dialog();
  const person = await account.addUser({ name: 'Марат' });
  await scene.move(lead.threadId, 0);
  await api.setAi(lead.threadId, false);
  await api.setName(lead.threadId, 'Дана');
  await api.assign(lead.threadId, person);

  const [answered, silenced] = [await scene.dialog(), await scene.dialog()];
  await scene.write(answered.phone);
  const text = await api.sendText(answered.threadId, 'Здравствуйте');
  await scene.write(silenced.phone, 'STOP');

  const asking = await scene.begin([{ kind: 'notify', text: 'Позвонить' }], {}, STAGE);

  const delivered = await scene.send({ phone: newPhone() });
  const reported = String(delivered.body.data.id);
  await scene.tell((number) => number.status(`wamid.${reported}`, 'delivered'), stranger);

  const refused = newPhone();
  provider.on(refused, refuse(400, 131026));
  const list = await scene.send([{ phone: newPhone() }, { phone: refused }]);
  const batch_id = String(list.body.data.batch_id);
  await eventually(
    async () => Number((await api.getBatch(batch_id)).body.data.queued) === 0,
    10_000,
    'the list is not done',
  );

  const fields = { assistant_id: account.assistantId, bot_id: account.botId, channel: CHANNEL };
  const imported = await new TransferClient(api).done(`phone\n${newPhone()}\n`, fields);

  const template = await submitTemplate(scene);

  const unpaid = newPhone();
  provider.on(unpaid, refuse(401, 190));
  await scene.send({ phone: unpaid });

  const used = await account.quotaUsed();
  await scene.govern('PATCH', `accounts/${account.id}`, { monthly_message_quota: used });

  return {
    'lead.created': { phone: stranger, by: 'USER', customer_name: 'Салтанат' },
    'lead.status_changed': { thread_id: lead.threadId, from: null, by: 'SYSTEM' },
    'lead.ai_switched': { thread_id: lead.threadId, from: true, to: false },
    'lead.handler_changed': { thread_id: answered.threadId, from: 'AI', to: 'OPERATOR' },
    'lead.opted_out': { thread_id: silenced.threadId, from: false, to: true, by: 'USER' },
    'lead.assigned': { thread_id: lead.threadId, from: null, to: { id: person, name: 'Марат' } },
    'lead.renamed': { thread_id: lead.threadId, from: null, to: 'Дана' },
    'lead.attention': { thread_id: asking.threadId, from: null, note: 'Позвонить' },
    'message.received': { phone: stranger, actor: null },
    'message.sent': { thread_id: answered.threadId, message: await shown(scene, String(text.body.data.id)) },
    'message.status_changed': { status: 'delivered', message: await shown(scene, reported) },
    'message.transcribed': { phone: stranger, actor: null },
    'message.edited': { phone: stranger, actor: null },
    'message.deleted': { phone: stranger, actor: null },
    'batch.finished': { batch_id, total: 2, sent: 1, failed: 1, queued: 0, unknown: 0 },
    'scenario.finished': { thread_id: asking.threadId, scenario_id: asking.scenarioId, state: 'done' },
    'import.finished': { import_id: imported.import_id, state: 'done', rows: 1, created: 1, faults: 0 },
    'template.status_changed': { id: template, template_id: 'parcel', from: 'draft', to: 'pending' },
    'bot.trouble': { bot_id: account.botId, code: 'CREDENTIAL', resolved: false },
    'quota.low': { limit: used, used, percent: 100, bot_id: null },
    'webhook.disabled': { endpoint_id: gone.id, reason: 'gone' },
  };
}

/** A message as get-message has it. */
export const shown = async (scene: WebhooksOutScene, id: string): Promise<unknown> =>
  (await scene.api.getMessage(id)).body.data;

/** A template that the provider is asked to approve. */
async function submitTemplate(scene: WebhooksOutScene): Promise<string> {
  // A request for no phone.
  scene.provider.on('undefined', (response) =>
    answer(response, 200, { id: '601', status: 'PENDING', category: 'UTILITY' }),
  );
  const { data } = await scene.govern('POST', 'templates', {
    ...{ bot_id: scene.account.botId, channel: CHANNEL, template_id: 'parcel', name: 'parcel_is_here' },
    ...{ language: 'en', category: 'utility', body: 'Your parcel is here.' },
  });
  await scene.govern('POST', `templates/${String(data.id)}/submit`, {});
  return String(data.id);
}
