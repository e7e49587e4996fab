import type { Customer } from '../stand-ins/cloud.webhooks';
import type { GivenReply } from '../stand-ins/model.script';
import { newCustomer, type ReplyScene } from './reply.scene';

/** A customer and the dialog with them. */
export interface Talk {
  customer: Customer & { phone: string };
  thread: string;
}

export const moveTo = (status_id: unknown): GivenReply => ({
  tool_calls: [{ name: 'move_lead', arguments: { status_id } }],
});

const LAST_WORDS = 'Вот и всё.';

/** Dialogs in which the model follows a script, each by its customer's phone. */
export class AgentTalks {
  constructor(private readonly scene: ReplyScene) {}

  /** A customer in a stage, by default the first, writes; the model does what is given. */
  async begin(replies: GivenReply[], at: number | null = 0, text = ''): Promise<Talk> {
    const { account, model } = this.scene;
    const customer = newCustomer();
    const statusId = at === null ? null : this.scene.stage(at);
    await account.addThread({ phone: `+${customer.phone}`, statusId });
    await model.reply(...replies.map((reply) => ({ ...reply, when: customer.phone })));
    return { customer, thread: await this.scene.write(customer, `${text} ${customer.phone}`) };
  }

  /** As {@link begin}, and the model says one thing at last, which is all that the customer gets. */
  async through(replies: GivenReply[], at?: number | null, text?: string): Promise<Talk> {
    const talk = await this.begin([...replies, { text: LAST_WORDS }], at, text);
    await this.scene.untilSaidAtLast(talk.customer, talk.thread);
    await this.scene.untilQuiet(talk.thread);
    expect(this.scene.textsTo(talk.customer)).toEqual([LAST_WORDS]);
    return talk;
  }

  /** The results of tools in the model's last request. */
  async toldByTools({ customer }: Talk): Promise<string[]> {
    const last = (await this.scene.model.requests(customer.phone)).at(-1);
    const { messages } = last!.body as { messages: { role: string; content: string }[] };
    return messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  }

  async stageOf(thread: string): Promise<string | null> {
    return (await this.scene.kept.thread(`thread_${thread}`)).status_id;
  }

  /** Moves of the lead as its history tells of them, the newest first. */
  async moves(thread: string): Promise<object[]> {
    const { body } = await this.scene.api.getHistory({ thread_id: `thread_${thread}`, limit: 200 });
    return (body.data.entries as { type: string }[]).filter(({ type }) => type === 'status');
  }
}
