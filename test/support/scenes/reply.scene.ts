import type { Customer } from '../stand-ins/cloud.webhooks';
import { CloudNumber } from '../stand-ins/cloud.webhooks';
import { eventually } from '../eventually';
import { InboundScene } from './inbound.scene';
import type { SceneOptions } from './lead.scene';
import { ModelScript } from '../stand-ins/model.script';
import { shared } from '../worker/shared';
import { ScriptedProvider, type ReceivedSend } from '../stand-ins/scripted.provider';

let lastCustomer = 77_019_000_000;

/** A new customer. The phone is without its plus, as Meta sends it. */
export const newCustomer = (): Customer & { phone: string } => ({
  phone: String((lastCustomer += 1)),
  name: 'Dana',
});

/** An account whose agent answers: a number at a scripted provider, and a scripted model. */
export class ReplyScene extends InboundScene {
  provider: ScriptedProvider;
  model: ModelScript;

  protected override async startStandIns(): Promise<Record<string, string>> {
    this.provider = await (this.sharesServer ? shared.takeProvider() : ScriptedProvider.start());
    this.model = await (this.sharesServer ? ModelScript.at(await shared.takeModel()) : ModelScript.start());
    return { ...this.provider.environment, ...this.model.environment };
  }

  override async addNumber(account = this.account, botId = account.botId): Promise<CloudNumber> {
    return new CloudNumber(await account.connect('waba_coexistence', { botId }));
  }

  /** A customer writes. @returns the dialog. */
  async write(customer: Customer & { phone: string }, text: string): Promise<string> {
    await this.tell(this.number.message(customer, text));
    return (await this.dialog(`+${customer.phone}`)).id;
  }

  /** What has reached a customer. */
  said({ phone }: { phone: string }): ReceivedSend[] {
    return this.provider.sendsTo(`+${phone}`);
  }

  textsTo(customer: { phone: string }): string[] {
    return this.said(customer).map(({ body }) => (body.text as { body: string }).body);
  }

  async untilSaid(customer: { phone: string }, count: number, milliseconds = 10_000): Promise<string[]> {
    await eventually(
      () => Promise.resolve(this.said(customer).length >= count),
      milliseconds,
      `${count} messages did not reach the customer`,
    );
    return this.textsTo(customer);
  }

  /** Waits until no reply is being worked on, and none is due. */
  async untilQuiet(threadId: string, milliseconds = 10_000): Promise<void> {
    await eventually(
      async () => (await this.replies(threadId)).every(({ state, held }) => state !== 'due' && !held),
      milliseconds,
      'replies were left under way',
    );
  }

  async replies(
    threadId: string,
  ): Promise<{ state: string; held: boolean; parts: number; attempts: number }[]> {
    const { rows } = await this.database.pool.query<{
      state: string;
      held: boolean;
      parts: number;
      attempts: number;
    }>(
      `SELECT state, coalesce(lease_until > clock_timestamp(), false) AS held, parts, attempts
         FROM replies WHERE thread_id = $1 ORDER BY id`,
      [threadId],
    );
    return rows;
  }

  /** Ends the back-off before a reply's next try at once, by the database's clock. */
  private async endBackOff(threadId: string): Promise<void> {
    await this.database.pool.query(
      `UPDATE replies SET due_at = clock_timestamp()
        WHERE thread_id = $1 AND state = 'due' AND lease_token IS NULL AND due_at > clock_timestamp()`,
      [threadId],
    );
  }

  /** Waits for what the agent says to a customer, and for no back-off before a further try of its model. */
  async untilSaidAtLast(customer: { phone: string }, threadId: string, count = 1): Promise<string[]> {
    await eventually(
      async () => {
        await this.endBackOff(threadId);
        return this.said(customer).length >= count;
      },
      10_000,
      `${count} messages did not reach the customer`,
    );
    return this.textsTo(customer);
  }

  /** Waits until no reply of a dialog is due, and for no back-off before a further try. */
  async untilEnded(threadId: string, milliseconds: number): Promise<void> {
    await eventually(
      async () => {
        await this.endBackOff(threadId);
        return (await this.replies(threadId)).every(({ state }) => state !== 'due');
      },
      milliseconds,
      'the reply did not end',
    );
  }

  /** Waits until something is recorded of a dialog's replies, and for no back-off before a further try. */
  async untilTold(threadId: string, milliseconds: number): Promise<void> {
    await eventually(
      async () => {
        await this.endBackOff(threadId);
        return (await this.told(threadId)).length > 0;
      },
      milliseconds,
      'nothing was told',
    );
  }

  /** Why replies were discarded, and operators asked for, the oldest first, as `type word`. */
  async told(threadId: string): Promise<string[]> {
    const { body } = await this.api.getHistory({ thread_id: `thread_${threadId}`, limit: 200 });
    const entries = body.data.entries as { type: string; to: string }[];
    return entries
      .filter(({ type }) => type === 'reply_discarded' || type === 'attention')
      .map(({ type, to }) => `${type} ${to}`)
      .reverse();
  }

  override async close(): Promise<void> {
    await super.close();
    if (!this.sharesServer) await this.provider?.stop();
    await this.model?.stop();
  }
}

/** Sets the scene for a test file; it is there from the first hook on. */
export function setReplyScene(options?: SceneOptions): ReplyScene {
  const scene = new ReplyScene(options);
  beforeAll(() => scene.start());
  afterAll(() => scene.close());
  return scene;
}
