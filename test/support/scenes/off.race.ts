import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountFixture } from '../database/fixture';
import type { CloudNumber } from '../stand-ins/cloud.webhooks';
import type { HeldReply, RaceScene } from './race.scene';
import { faultReports } from '../faults/fault.reports';
import { accept } from '../stand-ins/scripted.provider';
import type { ServerProcess } from '../programs/server.process';
import { switchOff, type TimedCall } from '../clients/switch.client';

/** Long enough to be a separate part (reply-parts.ts). */
const LONG_PART = 'Это предложение достаточно длинное, чтобы стать сообщением само.';
const LAST_PART = 'Вот и всё.';
/** How long reply-speech.ts waits before the last part. */
const REMAINING_MS = 800 + LAST_PART.length * 15;
const AROUND_MS = 60;
/** Between the beginnings of two trials of a group. */
const STEP_MS = 15;
const LEAD_MS = 100;
const KEPT_LATENCIES = 25;
const TOO_EARLY_MS = 30;

/** One trial: the last part of a reply and a set-ai `false`, aimed at one moment. */
export interface Trial {
  reply: HeldReply;
  parts: number;
  off: TimedCall;
  /** When what comes before the last part was done: the model let go, or the part before taken. */
  base: number;
}

const replyOf = (parts: number): string =>
  [...Array<string>(parts - 1).fill(LONG_PART), LAST_PART].join('\n\n');

const until = (moment: number): Promise<unknown> => sleep(Math.max(0, moment - performance.now()));

/** −60…60 ms, most of them near the middle. */
const offset = (): number => AROUND_MS * (2 * Math.random() - 1) ** 3;

/** Races of one account: groups of replies, each switched off on one process around a send on the other. */
export class OffRace {
  readonly trials: Trial[] = [];
  /** From a base to the gate's answer, less a call's way to the switch: it is learned, for it is the machine's. */
  private readonly latencies: number[] = [20];

  constructor(
    private readonly scene: RaceScene,
    private readonly worker: ServerProcess,
    private readonly account: AccountFixture,
    private readonly number: CloudNumber,
  ) {}

  /** Adds a group of trials at the last part of replies of the given number of parts. */
  async run(count: number, parts: number): Promise<void> {
    const replies = await this.scene.holdReplies(
      this.number,
      this.account,
      Array.from({ length: count }, () => replyOf(parts)),
    );
    const begin = performance.now() + LEAD_MS;
    const trials = await Promise.all(
      replies.map((reply, index) => this.trial(reply, parts, begin + index * STEP_MS)),
    );
    await this.scene.untilSettled(this.account);
    this.trials.push(...trials);
    this.learn(trials);
  }

  private async trial(reply: HeldReply, parts: number, base: number): Promise<Trial> {
    const { scene } = this;
    const last = parts === 1 ? Promise.resolve(base) : this.partTaken(reply, parts - 1);
    const released = until(base).then(() => scene.model.release(reply.request));
    const at = (await last) + (parts === 1 ? 0 : REMAINING_MS);
    await until(at + this.latency + offset());
    const off = await switchOff(scene.apiAt(0, reply.account.key), reply.threadId);
    await released;
    return { reply, parts, off, base: at };
  }

  private partTaken({ phone }: HeldReply, part: number): Promise<number> {
    return new Promise((resolve) => {
      this.scene.provider.on(`+${phone}`, (response, received, n) => {
        if (n === part) resolve(performance.now());
        return accept(response, received, n);
      });
    });
  }

  private get latency(): number {
    const sorted = this.latencies.slice(-KEPT_LATENCIES).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  }

  private learn(trials: readonly Trial[]): void {
    const timesOf = this.times();
    const aimed = this.latency;
    for (const trial of trials) {
      const { gate, switched } = timesOf(trial);
      // Not asked any more: aimed too early. Learning from the others alone would only ever aim earlier.
      if (gate === undefined) this.latencies.push(aimed + TOO_EARLY_MS);
      else if (switched !== undefined) this.latencies.push(gate - trial.base - (switched - trial.off.sentAt));
    }
  }

  /**
   * When the one process had the gate's answer for the last part, and the other the switch's; undefined: it was not
   * asked any more.
   */
  times(): (trial: Trial) => { gate?: number; switched?: number } {
    const gates = new Map<string, number[]>();
    for (const { word, about, at } of faultReports(this.worker))
      if (word === 'gate') gates.set(about, [...(gates.get(about) ?? []), at]);
    const switches = new Map(
      faultReports(this.scene.server)
        .filter(({ word }) => word === 'switch')
        .map(({ about, at }) => [about, at]),
    );
    return ({ reply, parts }) => ({
      gate: gates.get(reply.threadId)?.[parts - 1],
      switched: switches.get(reply.threadId),
    });
  }
}
