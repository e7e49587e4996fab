import type { Customer } from '../stand-ins/cloud.webhooks';
import { eventually } from '../eventually';
import { extend, type SceneOptions } from './base.scene';
import { sceneOf } from './scene.opening';
import { makeInboundScene, withToken } from './inbound.scene';
import { providerOf } from './send.scene';
import { ModelScript } from '../stand-ins/model.script';
import { shared } from '../worker/shared';
import type { ReceivedSend, ScriptedProvider } from '../stand-ins/scripted.provider';

/** A new customer. The phone is without its plus, as Meta sends it. */
export const newCustomer = (): Customer & { phone: string } => ({
  phone: shared.nextPhone(),
  name: 'Dana',
});

export type ReplyScene = ReturnType<typeof makeReplyScene>;

/**
 * An account whose agent answers: a number at a scripted provider, and a scripted model.
 * @param startProvider where another one is asked for the messages
 */
export function makeReplyScene(options?: SceneOptions, startProvider = providerOf) {
  let provider: ScriptedProvider;
  let model: ModelScript;

  const scene = extend(makeInboundScene(options, withToken), {
    get provider(): ScriptedProvider {
      return provider;
    },

    get model(): ModelScript {
      return model;
    },

    /** A customer writes. @returns the dialog. */
    async write(customer: Customer & { phone: string }, text: string): Promise<string> {
      await scene.tell(scene.number.message(customer, text));
      return (await scene.dialog(`+${customer.phone}`)).id;
    },

    /** What has reached a customer. */
    said({ phone }: { phone: string }): ReceivedSend[] {
      return scene.provider.sendsTo(`+${phone}`);
    },

    textsTo(customer: { phone: string }): string[] {
      return scene.said(customer).map(({ body }) => (body.text as { body: string }).body);
    },

    async untilSaid(customer: { phone: string }, count: number, milliseconds = 10_000): Promise<string[]> {
      await eventually(
        () => Promise.resolve(scene.said(customer).length >= count),
        milliseconds,
        `${count} messages did not reach the customer`,
      );
      return scene.textsTo(customer);
    },

    /** Waits until no reply is being worked on, and none is due. */
    async untilQuiet(threadId: string, milliseconds = 10_000): Promise<void> {
      await eventually(
        async () => (await scene.replies(threadId)).every(({ state, held }) => state !== 'due' && !held),
        milliseconds,
        'replies were left under way',
      );
    },

    async replies(
      threadId: string,
    ): Promise<{ state: string; held: boolean; parts: number; attempts: number }[]> {
      const { rows } = await scene.database.pool.query<{
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
    },

    /** Waits for what the agent says to a customer, and for no back-off before a further try of its model. */
    async untilSaidAtLast(customer: { phone: string }, threadId: string, count = 1): Promise<string[]> {
      await eventually(
        async () => {
          await endBackOff(threadId);
          return scene.said(customer).length >= count;
        },
        10_000,
        `${count} messages did not reach the customer`,
      );
      return scene.textsTo(customer);
    },

    /** Waits until no reply of a dialog is due, and for no back-off before a further try. */
    async untilEnded(threadId: string, milliseconds: number): Promise<void> {
      await eventually(
        async () => {
          await endBackOff(threadId);
          return (await scene.replies(threadId)).every(({ state }) => state !== 'due');
        },
        milliseconds,
        'the reply did not end',
      );
    },

    /** Waits until something is recorded of a dialog's replies, and for no back-off before a further try. */
    async untilTold(threadId: string, milliseconds: number): Promise<void> {
      await eventually(
        async () => {
          await endBackOff(threadId);
          return (await scene.told(threadId)).length > 0;
        },
        milliseconds,
        'nothing was told',
      );
    },

    /** Why replies were discarded, and operators asked for, the oldest first, as `type word`. */
    async told(threadId: string): Promise<string[]> {
      const { body } = await scene.api.getHistory({ thread_id: `thread_${threadId}`, limit: 200 });
      const entries = body.data.entries as { type: string; to: string }[];
      return entries
        .filter(({ type }) => type === 'reply_discarded' || type === 'attention')
        .map(({ type, to }) => `${type} ${to}`)
        .reverse();
    },
  });

  /** Ends the back-off before a reply's next try at once, by the database's clock. */
  async function endBackOff(threadId: string): Promise<void> {
    await scene.database.pool.query(
      `UPDATE replies SET due_at = clock_timestamp()
          WHERE thread_id = $1 AND state = 'due' AND lease_token IS NULL AND due_at > clock_timestamp()`,
      [threadId],
    );
  }

  scene.withStandIns(async () => {
    provider = await startProvider(scene);
    model = await (scene.sharesServer ? ModelScript.at(await shared.takeModel()) : ModelScript.start());
    scene.whenClosed(() => model.stop());
    return { ...provider.environment, ...model.environment };
  });
  return scene;
}

export const { set: setReplyScene } = sceneOf(makeReplyScene);
