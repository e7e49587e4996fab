import { hostileTexts, markupOf, wordsOf } from '../clients/hostile.texts';
import { uuidOf } from '../database/thread.uuid';
import { eventually } from '../eventually';
import { answer } from '../stand-ins/scripted.provider';
import { extend } from './base.scene';
import { sceneOf } from './scene.opening';
import type { MonitorPerson } from './monitor.scene';
import { makeSendPageScene } from './send-page.scene';

/** Of each kind one. */
export const KINDS = hostileTexts(40);
const DONE_MS = 20_000;

/** A scenario refuses places that it knows nothing of. */
const withoutPlaces = (words: string): string => words.replace(/\{\{\w+\}\}/, '');

/** An account in which every word that people, models or providers may give is hostile. */
function makeHostileScene(texts: readonly string[]) {
  const leads: string[] = [];
  let owner: MonitorPerson;
  let talk: string;
  let story: string;
  let scenario: string;
  let batch: string;
  let phones = 77_019_900_000;

  const scene = extend(makeSendPageScene(), {
    get owner(): MonitorPerson {
      return owner;
    },

    /** Of each hostile text a lead with it as name, last message and note. */
    leads,

    /** Has each hostile text as a message. */
    get talk(): string {
      return talk;
    },

    /** Has notes, a history, somebody who cares for it, and a run of the scenario. */
    get story(): string {
      return story;
    },

    get scenario(): string {
      return scenario;
    },

    /** A list of which nothing arrived. */
    get batch(): string {
      return batch;
    },

    /** As a colleague makes it, on another screen. @param order of the stage */
    async moveByOther(threadId: string, order: number): Promise<void> {
      await ask('leads/set-status', { thread_id: threadId, status_id: scene.stage(order) });
    },

    /** Into a stage that the page still offers. */
    async archiveUnseen(statusId: string): Promise<void> {
      await scene.database.pool.query('UPDATE statuses SET archived_at = clock_timestamp() WHERE id = $1', [
        statusId,
      ]);
    },

    /** Its customer has just written: free texts and files may go out. */
    async openWindow(threadId: string): Promise<void> {
      await scene.database.pool.query(
        'UPDATE threads SET last_inbound_at = clock_timestamp() WHERE id = $1',
        [uuidOf(threadId)],
      );
    },
  });

  /** A call that must pass. */
  async function ask(path: string, body: object): Promise<Record<string, any>> {
    const { body: answered, text } = await owner.session.call(path, body);
    if (!answered.ok) throw new Error(`${path}: ${text}`);
    return answered.data as Record<string, any>;
  }

  async function addLeads(): Promise<void> {
    leads.push(...(await Promise.all(texts.map((text) => addLead(text)))));
    talk = await scene.account.addThread({ statusId: scene.stage(1), phone: newPhone() });
    await Promise.all(texts.map((text) => scene.account.addMessage(talk, { text })));
  }

  async function addLead(text: string): Promise<string> {
    const id = await scene.account.addThread({ statusId: scene.stage(0), phone: newPhone() });
    await scene.database.pool.query(
      `UPDATE threads SET customer_name = $2, last_message_role = 'USER', last_message_text = $2,
         last_message_at = clock_timestamp(), attention = 'hand_over', attention_note = $2,
         attention_since = clock_timestamp() WHERE id = $1`,
      [uuidOf(id), text],
    );
    return id;
  }

  async function nameThings(): Promise<void> {
    for (const table of ['assistants', 'bots', 'users', 'api_keys'])
      await scene.database.pool.query(`UPDATE ${table} SET name = $2 WHERE account_id = $1`, [
        scene.account.id,
        wordsOf(table),
      ]);
    await scene.database.pool.query(
      `UPDATE statuses SET name = $2 || "order", name_folded = lower($2 || "order"), description = $2
        WHERE account_id = $1`,
      [scene.account.id, wordsOf('stage')],
    );
  }

  /** One in which everything is hostile, and one of each kind of text. */
  async function addTemplates(): Promise<void> {
    const whole = {
      name: wordsOf('template'),
      header: { format: 'text', text: markupOf('header') },
      body: `${markupOf('body')} {{1}}`,
      footer: wordsOf('footer'),
      buttons: [{ type: 'url', text: markupOf('button'), url: 'https://example.com/{{1}}' }],
      examples: { body: [markupOf('example')] },
    };
    const others = KINDS.map((text) => ({
      ...{ name: `kind ${text}`, header: null, body: text, footer: null, buttons: [], examples: {} },
    }));
    for (const { name, header, body, footer, buttons, examples } of [whole, ...others])
      await scene.database.pool.query(
        `INSERT INTO templates (account_id, id, bot_id, channel, template_id, name, language, category, status,
                                header, body, footer, buttons, examples, params_count)
         VALUES ($1, gen_random_uuid(), $2, 'waba_coexistence', $3, $3, 'en', 'utility', 'approved', $4, $5, $6, $7, $8, 0)`,
        [
          ...[scene.account.id, scene.account.botId, name, header && JSON.stringify(header), body, footer],
          ...[JSON.stringify(buttons), JSON.stringify(examples)],
        ],
      );
  }

  /** A lead that a scenario takes up. Its template is refused, in the provider's words. */
  async function addStory(): Promise<void> {
    const { id: scenarioId } = await ask('admin/scenarios', {
      ...{ account_id: scene.account.id, name: wordsOf('scenario'), assistant_id: scene.account.assistantId },
      ...{ status_id: scene.stage(2), state: 'on' },
      steps: [
        { kind: 'notify', text: withoutPlaces(wordsOf('step')) },
        { kind: 'send_template', template_id: 'order_ready', on_failure: 'continue' },
        { kind: 'hand_over', note: withoutPlaces(wordsOf('call')), label: markupOf('label') },
      ],
    });
    scenario = scenarioId as string;
    const phone = refusedPhone(wordsOf('fault'));
    story = await scene.account.addThread({ phone });
    const thread_id = story;
    const user_id = await scene.account.addUser({ name: wordsOf('assignee') });
    await ask('leads/set-name', { thread_id, name: markupOf('named') });
    // As people may call themselves in the messenger, though nobody here may call them so.
    await scene.database.pool.query('UPDATE threads SET name_override = $2 WHERE id = $1', [
      uuidOf(thread_id),
      wordsOf('customer'),
    ]);
    await ask('leads/assign', { thread_id, user_id });
    await ask('messages/add-note', { thread_id, text: wordsOf('note') });
    await ask('leads/set-status', { thread_id, status_id: scene.stage(2) });
    await eventually(
      async () => {
        const { rowCount } = await scene.database.pool.query(
          `SELECT FROM scenario_runs WHERE thread_id = $1 AND state IN ('done', 'failed')`,
          [uuidOf(thread_id)],
        );
        return rowCount === 1;
      },
      DONE_MS,
      'the run did not end',
    );
  }

  /** To as many as there are kinds of text: the provider refuses each in one of them. */
  async function sendList(): Promise<string> {
    const { batch_id: batch } = await ask('messages/send-template', {
      ...{ bot_id: scene.account.botId, channel: 'waba_coexistence' },
      ...{ template_id: 'order_ready', template_language: 'ru' },
      to: [wordsOf('refusal'), ...KINDS].map((text) => ({ phone: refusedPhone(text) })),
    });
    return batch as string;
  }

  function newPhone(): string {
    return `+${(phones += 1)}`;
  }

  /** The provider refuses what is sent to it. */
  function refusedPhone(words: string): string {
    const phone = newPhone();
    scene.provider.on(phone, (response) =>
      answer(response, 400, { error: { message: words, type: 'OAuthException', code: 987_654 } }),
    );
    return phone;
  }

  scene.whenStarted(async () => {
    owner = await scene.person({ role: 'admin' });
    await addLeads();
    await nameThings();
    await addTemplates();
    await addStory();
    batch = await sendList();
  });
  return scene;
}

export const { set: setHostileScene } = sceneOf(makeHostileScene);
