import type { MessageHandler, StatusSetBy } from '@app/contracts/lead.words';
import type { CustomerAct } from '../../../sandbox/src/handset/customer-phone';
import { SCENES, type CastMember, type LifeScene } from './life-cast';
import type { Intent, Line } from './life.words';

/** A dialog as the public API shows it. */
export interface LifeDialog {
  thread_id: string;
  channel: string;
  phone: string | null;
  message_handler: MessageHandler;
  ai_enabled: boolean;
  opted_out: boolean;
  takeover_until: string | null;
  waiting: boolean;
  lead_status: { id: string } | null;
  status_set_at: string | null;
  status_set_by: StatusSetBy | null;
  last_message: { role: string; created_at: string } | null;
  unread_count: number;
  /** The newest message, if there is one. */
  messages?: { id: string }[];
}

/** What happens next in the demo. */
export type LifeAct =
  | { kind: 'write'; act: CustomerAct; intent: Intent }
  | { kind: 'pay'; threadId: string; from: string; to: string }
  | { kind: 'read'; threadId: string; upTo: string };

const MINUTE = 60_000;
const PAUSE_MS = { least: 10_000, most: 25_000 };
/** At first everything comes quickly, so that a visitor sees the board move. */
const OPENING_PAUSES_MS = [3_000, 5_000, 6_000];

/** The agent is about to answer, or has only just. */
const ANSWERED_WITHIN_MS = 20_000;
/** A customer who was answered this lately goes on rather than another begins. */
const CONVERSATION_MS = 4 * MINUTE;
const GOES_ON_WEIGHT = 5;
/** What a person did this lately is not undone. */
const PERSONS_TIME_MS = 15 * MINUTE;
const QUIET_EVERY_MS = 5 * MINUTE;
/** Lines in a row to which nobody answers. */
const UNANSWERED_MAX = 3;
/** From so many on, a colleague has read them. */
const UNREAD_MAX = 12;
/** A line that has not arrived by then: the number is not connected, so nothing is written to it for some time. */
const ARRIVES_WITHIN_MS = MINUTE;
const DEAF_MS = 15 * MINUTE;
/** As long as so many customers of an agent have unsubscribed or are left to people, nobody else does. */
const SILENCED_MAX = 3;
const HANDED_OVER_MAX = 1;

const CHANCES = { newcomer: 1 / 40, pay: 1 / 4, quiet: 1 / 12, human: 1 / 80, stop: 1 / 400 };

const keyOf = ({ channel, phone }: { channel: string; phone: string | null }): string =>
  `${channel.toLowerCase()} ${phone}`;
const time = (instant: string | null | undefined): number => (instant ? Date.parse(instant) : 0);

/** Whether a person conducts it, until a time or until they end it, which nothing but the handler tells. */
const isHandedOver = ({ muted }: LifeScene, dialog: LifeDialog): boolean => {
  const { lead_status: stage, ai_enabled: isOn, opted_out: isOut } = dialog;
  const isElse = !isOn || isOut || (stage !== null && muted.has(stage.id));
  return dialog.takeover_until !== null || (dialog.message_handler === 'OPERATOR' && !isElse);
};

/** Decides what the demo's customers and its accounting system do next. It sees dialogs as any client does. */
export class LifePlan {
  private beats = 0;
  /** Lines that have not been seen to arrive, by dialog. */
  private readonly underWay = new Map<string, number>();
  private readonly deafUntil = new Map<string, number>();
  /** Lines to people, by dialog. */
  private readonly quietLines = new Map<string, { at: number; count: number }>();
  private readonly lastLine = new Map<string, Line>();

  /**
   * @param random from 0 to less than 1
   * @param now milliseconds since 1970
   */
  constructor(
    private readonly random: () => number = Math.random,
    private readonly now: () => number = Date.now,
  ) {}

  /** How long nothing happens now, in milliseconds. */
  pause(): number {
    const opening = OPENING_PAUSES_MS[this.beats];
    this.beats += 1;
    return opening ?? PAUSE_MS.least + this.random() * (PAUSE_MS.most - PAUSE_MS.least);
  }

  /** The agent whose dialogs are looked at next: at first the one whose board is opened. */
  scene(): LifeScene | undefined {
    if (this.beats <= OPENING_PAUSES_MS.length) return SCENES[0];
    return this.oneOf(SCENES, ({ weight }) => weight);
  }

  /**
   * @param dialogs those of the scene's cast
   * @returns null: nothing this time
   */
  next(scene: LifeScene, dialogs: readonly LifeDialog[]): LifeAct | null {
    const byKey = new Map(dialogs.map((dialog) => [keyOf(dialog), dialog]));
    const pairs = scene.cast.flatMap((member) => {
      const dialog = byKey.get(keyOf(member));
      return dialog ? [{ member, dialog }] : [];
    });
    for (const { member, dialog } of pairs) this.noteArrival(member, dialog);
    const unread = dialogs.find(({ unread_count: count }) => count > UNREAD_MAX);
    const [newest] = unread?.messages ?? [];
    if (unread && newest) return { kind: 'read', threadId: unread.thread_id, upTo: newest.id };
    const isFree = ({ member, dialog }: (typeof pairs)[number]): boolean =>
      !this.isDeaf(member) && !this.isPersons(scene, dialog);
    const free = pairs.filter(isFree);
    return (
      this.payment(
        scene,
        free.map(({ dialog }) => dialog),
      ) ??
      this.newcomer(scene, byKey) ??
      this.quietLine(
        scene,
        pairs.filter((pair) => !pair.dialog.opted_out && !isFree(pair)),
      ) ??
      this.line(scene, free, dialogs)
    );
  }

  /** The accounting system has the money, rather of who was quick to say so. */
  private payment({ payment }: LifeScene, free: readonly LifeDialog[]): LifeAct | null {
    const isFirst = this.beats <= 1;
    if (!payment || (!isFirst && this.random() >= CHANCES.pay)) return null;
    const due = free.filter(
      ({ lead_status: stage, waiting, status_set_at: at }) =>
        stage?.id === payment.from && (isFirst || (!waiting && this.now() - time(at) > MINUTE)),
    );
    const lead = this.oneOf(due);
    return lead ? { kind: 'pay', threadId: lead.thread_id, ...payment } : null;
  }

  private newcomer(scene: LifeScene, known: ReadonlyMap<string, LifeDialog>): LifeAct | null {
    const member = scene.cast.find((one) => one.newcomer !== undefined && !known.has(keyOf(one)));
    if (!member || this.isDeaf(member) || this.underWay.has(keyOf(member))) return null;
    return this.random() < CHANCES.newcomer ? this.write(scene, member, 'ask') : null;
  }

  /** Now and then a line where people work. It asks for nothing that would move the lead. */
  private quietLine(
    scene: LifeScene,
    pairs: readonly { member: CastMember; dialog: LifeDialog }[],
  ): LifeAct | null {
    if (this.random() >= CHANCES.quiet) return null;
    const one = this.oneOf(
      pairs.filter(({ member, dialog }) => {
        const { at = 0, count = 0 } = this.quietLines.get(keyOf(member)) ?? {};
        const unanswered = dialog.waiting ? count : 0;
        return !this.isDeaf(member) && this.now() - at >= QUIET_EVERY_MS && unanswered < UNANSWERED_MAX;
      }),
    );
    if (!one) return null;
    const key = keyOf(one.member);
    const before = one.dialog.waiting ? (this.quietLines.get(key)?.count ?? 0) : 0;
    this.quietLines.set(key, { at: this.now(), count: before + 1 });
    return this.write(scene, one.member, 'wait');
  }

  private line(
    scene: LifeScene,
    free: readonly { member: CastMember; dialog: LifeDialog }[],
    dialogs: readonly LifeDialog[],
  ): LifeAct | null {
    const sinceLast = ({ last_message: last }: LifeDialog): number => this.now() - time(last?.created_at);
    const one = this.oneOf(
      free.filter(
        ({ member, dialog }) => !this.underWay.has(keyOf(member)) && sinceLast(dialog) > ANSWERED_WITHIN_MS,
      ),
      ({ dialog }) => (!dialog.waiting && sinceLast(dialog) < CONVERSATION_MS ? GOES_ON_WEIGHT : 1),
    );
    if (!one) return null;
    const silenced = dialogs.filter((dialog) => dialog.opted_out || !dialog.ai_enabled).length;
    if (silenced < SILENCED_MAX && this.random() < CHANCES.stop) return this.write(scene, one.member, 'stop');
    const handedOver = dialogs.filter((dialog) => isHandedOver(scene, dialog)).length;
    if (handedOver <= HANDED_OVER_MAX && this.random() < CHANCES.human)
      return this.write(scene, one.member, 'human');
    const wants = scene.wants.get(one.dialog.lead_status?.id ?? null) ?? [];
    return this.write(scene, one.member, this.oneOf(wants) ?? 'ask');
  }

  private write({ lines }: LifeScene, member: CastMember, intent: Intent): LifeAct | null {
    const { phone, sender, channel, language, newcomer: name } = member;
    const key = keyOf(member);
    const known = lines[intent]?.[language] ?? [];
    const last = this.lastLine.get(key);
    const line = this.oneOf(known.length > 1 ? known.filter((one) => one !== last) : known);
    if (line === undefined) return null;
    this.lastLine.set(key, line);
    this.underWay.set(key, this.now());
    const content = typeof line === 'string' ? { text: line } : { file: line };
    return { kind: 'write', intent, act: { channel, sender, phone, ...(name && { name }), ...content } };
  }

  /** Whether people work there, or have just placed the lead: it is theirs. */
  private isPersons({ muted }: LifeScene, dialog: LifeDialog): boolean {
    const { lead_status: stage, last_message: last } = dialog;
    const isRecent = (at: string | null | undefined): boolean => this.now() - time(at) < PERSONS_TIME_MS;
    return (
      dialog.message_handler === 'OPERATOR' ||
      (stage !== null && muted.has(stage.id)) ||
      (dialog.status_set_by === 'OPERATOR_MANUAL' && isRecent(dialog.status_set_at)) ||
      (last?.role === 'OPERATOR' && isRecent(last.created_at))
    );
  }

  private noteArrival(member: CastMember, { last_message: last }: LifeDialog): void {
    const key = keyOf(member);
    const at = this.underWay.get(key);
    // The provider's clock counts whole seconds.
    if (at !== undefined && time(last?.created_at) >= at - 1_000) this.underWay.delete(key);
  }

  private isDeaf(member: CastMember): boolean {
    const key = keyOf(member);
    const at = this.underWay.get(key);
    if (at !== undefined && this.now() - at > ARRIVES_WITHIN_MS) {
      this.underWay.delete(key);
      this.deafUntil.set(member.sender, this.now() + DEAF_MS);
    }
    return this.now() < (this.deafUntil.get(member.sender) ?? 0);
  }

  private oneOf<T>(items: readonly T[], weightOf: (item: T) => number = () => 1): T | undefined {
    let left = this.random() * items.reduce((sum, item) => sum + weightOf(item), 0);
    return items.find((item) => (left -= weightOf(item)) < 0);
  }
}
