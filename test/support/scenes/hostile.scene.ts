import { hostileTexts, markupOf, wordsOf } from '../clients/hostile.texts';
import { uuidOf } from '../database/thread.uuid';
import { eventually } from '../eventually';
import { answer } from '../stand-ins/scripted.provider';
import type { MonitorPerson } from './monitor.scene';
import { SendPageScene } from './send-page.scene';

/** Of each kind one. */
export const KINDS = hostileTexts(40);
const DONE_MS = 20_000;

/** A scenario refuses places that it knows nothing of. */
const withoutPlaces = (words: string): string => words.replace(/\{\{\w+\}\}/, '');

/** An account in which every word that people, models or providers may give is hostile. */
export class HostileScene extends SendPageScene {
  owner: MonitorPerson;
  /** Of each hostile text a lead with it as name, last message and note. */
  readonly leads: string[] = [];
  /** Has each hostile text as a message. */
  talk: string;
  /** Has notes, a history, somebody who cares for it, and a run of the scenario. */
  story: string;
  scenario: string;
  /** A list of which nothing arrived. */
  batch: string;
  private phones = 77_019_900_000;

  constructor(private readonly texts: readonly string[]) {
    super();
  }

  override async start(): Promise<void> {
    await super.start();
    this.owner = await this.person({ role: 'admin' });
    await this.addLeads();
    await this.nameThings();
    await this.addTemplates();
    await this.addStory();
    this.batch = await this.sendList();
  }

  /** A call that must pass. */
  private async ask(path: string, body: object): Promise<Record<string, any>> {
    const { body: answered, text } = await this.owner.session.call(path, body);
    if (!answered.ok) throw new Error(`${path}: ${text}`);
    return answered.data as Record<string, any>;
  }

  /** As a colleague makes it, on another screen. @param order of the stage */
  async moveByOther(threadId: string, order: number): Promise<void> {
    await this.ask('leads/set-status', { thread_id: threadId, status_id: this.stage(order) });
  }

  /** Into a stage that the page still offers. */
  async archiveUnseen(statusId: string): Promise<void> {
    await this.database.pool.query('UPDATE statuses SET archived_at = clock_timestamp() WHERE id = $1', [
      statusId,
    ]);
  }

  /** Its customer has just written: free texts and files may go out. */
  async openWindow(threadId: string): Promise<void> {
    await this.database.pool.query('UPDATE threads SET last_inbound_at = clock_timestamp() WHERE id = $1', [
      uuidOf(threadId),
    ]);
  }

  private async addLeads(): Promise<void> {
    this.leads.push(...(await Promise.all(this.texts.map((text) => this.addLead(text)))));
    this.talk = await this.account.addThread({ statusId: this.stage(1), phone: this.newPhone() });
    await Promise.all(this.texts.map((text) => this.account.addMessage(this.talk, { text })));
  }

  private async addLead(text: string): Promise<string> {
    const id = await this.account.addThread({ statusId: this.stage(0), phone: this.newPhone() });
    await this.database.pool.query(
      `UPDATE threads SET customer_name = $2, last_message_role = 'USER', last_message_text = $2,
         last_message_at = clock_timestamp(), attention = 'hand_over', attention_note = $2,
         attention_since = clock_timestamp() WHERE id = $1`,
      [uuidOf(id), text],
    );
    return id;
  }

  private async nameThings(): Promise<void> {
    for (const table of ['assistants', 'bots', 'users', 'api_keys'])
      await this.database.pool.query(`UPDATE ${table} SET name = $2 WHERE account_id = $1`, [
        this.account.id,
        wordsOf(table),
      ]);
    await this.database.pool.query(
      `UPDATE statuses SET name = $2 || "order", name_folded = lower($2 || "order"), description = $2
        WHERE account_id = $1`,
      [this.account.id, wordsOf('stage')],
    );
  }

  /** One in which everything is hostile, and one of each kind of text. */
  private async addTemplates(): Promise<void> {
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
      await this.database.pool.query(
        `INSERT INTO templates (account_id, id, bot_id, channel, template_id, name, language, category, status,
                                header, body, footer, buttons, examples, params_count)
         VALUES ($1, gen_random_uuid(), $2, 'waba_coexistence', $3, $3, 'en', 'utility', 'approved', $4, $5, $6, $7, $8, 0)`,
        [
          ...[this.account.id, this.account.botId, name, header && JSON.stringify(header), body, footer],
          ...[JSON.stringify(buttons), JSON.stringify(examples)],
        ],
      );
  }

  /** A lead that a scenario takes up. Its template is refused, in the provider's words. */
  private async addStory(): Promise<void> {
    const { id: scenarioId } = await this.ask('admin/scenarios', {
      ...{ account_id: this.account.id, name: wordsOf('scenario'), assistant_id: this.account.assistantId },
      ...{ status_id: this.stage(2), state: 'on' },
      steps: [
        { kind: 'notify', text: withoutPlaces(wordsOf('step')) },
        { kind: 'send_template', template_id: 'order_ready', on_failure: 'continue' },
        { kind: 'hand_over', note: withoutPlaces(wordsOf('call')), label: markupOf('label') },
      ],
    });
    this.scenario = scenarioId as string;
    const phone = this.refusedPhone(wordsOf('fault'));
    this.story = await this.account.addThread({ phone });
    const thread_id = this.story;
    const user_id = await this.account.addUser({ name: wordsOf('assignee') });
    await this.ask('leads/set-name', { thread_id, name: markupOf('named') });
    // As people may call themselves in the messenger, though nobody here may call them so.
    await this.database.pool.query('UPDATE threads SET name_override = $2 WHERE id = $1', [
      uuidOf(thread_id),
      wordsOf('customer'),
    ]);
    await this.ask('leads/assign', { thread_id, user_id });
    await this.ask('messages/add-note', { thread_id, text: wordsOf('note') });
    await this.ask('leads/set-status', { thread_id, status_id: this.stage(2) });
    await eventually(
      async () => {
        const { rowCount } = await this.database.pool.query(
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
  private async sendList(): Promise<string> {
    const { batch_id: batch } = await this.ask('messages/send-template', {
      ...{ bot_id: this.account.botId, channel: 'waba_coexistence' },
      ...{ template_id: 'order_ready', template_language: 'ru' },
      to: [wordsOf('refusal'), ...KINDS].map((text) => ({ phone: this.refusedPhone(text) })),
    });
    return batch as string;
  }

  private newPhone(): string {
    return `+${(this.phones += 1)}`;
  }

  /** The provider refuses what is sent to it. */
  private refusedPhone(words: string): string {
    const phone = this.newPhone();
    this.provider.on(phone, (response) =>
      answer(response, 400, { error: { message: words, type: 'OAuthException', code: 987_654 } }),
    );
    return phone;
  }
}

/** Sets the scene for a test file; the windows of each test are closed after it. */
export function setHostileScene(texts: readonly string[]): HostileScene {
  const scene = new HostileScene(texts);
  beforeAll(() => scene.start());
  afterEach(() => scene.closeWindows());
  afterAll(() => scene.close());
  return scene;
}
