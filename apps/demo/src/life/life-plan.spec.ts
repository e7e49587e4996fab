import { ASSISTANTS } from '../seed/demo-accounts';
import { CLINIC_FUNNEL, PACKING, SALES_FUNNEL, SERVICE_FUNNEL } from '../seed/demo-funnels';
import { SCENES, type LifeScene } from './life-cast';
import { LifePlan, type LifeAct, type LifeDialog } from './life-plan';
import type { Intent } from './life.words';

/** A day and a half at the pace of the plan. */
const BEATS = 8_000;
const ANSWER_MS = 5_000;
const SCENARIO_MS = 60_000;
const FUNNELS = [SALES_FUNNEL, SERVICE_FUNNEL, CLINIC_FUNNEL];

/** A generator of the same numbers in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface World {
  now: number;
  plan: LifePlan;
  dialogs: Map<LifeScene, LifeDialog[]>;
  acts: { at: number; act: LifeAct; before: LifeDialog | undefined }[];
}

const at = (ms: number): string => new Date(ms).toISOString();
const stageNamed = (scene: number, name: RegExp): string =>
  FUNNELS[scene]?.find((stage) => name.test(stage.name))?.id ?? '';

/** Where the scripted model moves a lead that says so, as life.words.spec.ts shows. */
const MOVES: Partial<Record<Intent, RegExp>> = {
  buy: /^В работе$/,
  budget: /^Квалифицирован$/,
  invoice: /^(Ожидает оплаты|Invoice sent)$/,
  refuse: /^(Отказ|Lost)$/,
  again: /^(Новая заявка|New )/,
  book: /^Booked$/,
  broken: /^In progress$/,
  fixed: /^Solved$/,
};

function worldOf(seed: number): World {
  const world: World = { now: Date.parse('2026-11-26T08:00:00Z'), dialogs: new Map(), acts: [] } as never;
  const random = seeded(seed);
  world.plan = new LifePlan(random, () => world.now);
  for (const [index, scene] of SCENES.entries()) {
    const stages = FUNNELS[index] ?? [];
    const old = scene.cast.filter(({ newcomer }) => newcomer === undefined);
    world.dialogs.set(
      scene,
      old.map((member, n) => dialogOf(member, stages[n % stages.length]?.id ?? '', world.now)),
    );
  }
  return world;
}

const dialogOf = (
  { phone, channel }: { phone: string; channel: string },
  stage: string,
  now: number,
): LifeDialog => ({
  ...{ thread_id: `thread ${channel} ${phone}`, phone, channel: channel.toUpperCase() },
  ...{ message_handler: 'AI', ai_enabled: true, opted_out: false, takeover_until: null, waiting: false },
  ...{ lead_status: stage ? { id: stage } : null, status_set_at: at(now), status_set_by: 'AI' },
  ...{
    last_message: { role: 'AI', created_at: at(now - 3_600_000) },
    unread_count: 0,
    messages: [{ id: 'm' }],
  },
});

/** One beat: time goes by, and the act has its effect, as in the service. */
function beat(world: World): LifeAct | null {
  const pause = world.plan.pause();
  for (const [index, scene] of SCENES.entries()) elapse(world, index, scene, pause);
  world.now += pause;
  const scene = world.plan.scene();
  if (!scene) throw new Error('no scene');
  const dialogs = world.dialogs.get(scene) ?? [];
  const act = world.plan.next(scene, structuredClone(dialogs));
  if (act) take(world, scene, dialogs, act);
  return act;
}

/** The agent answers what waits, the scenario goes on, and takeovers end. */
function elapse(world: World, index: number, scene: LifeScene, pause: number): void {
  for (const dialog of world.dialogs.get(scene) ?? []) {
    if (dialog.takeover_until !== null && Date.parse(dialog.takeover_until) < world.now) {
      Object.assign(dialog, { takeover_until: null, message_handler: 'AI' });
    }
    const paid = index === 0 && dialog.lead_status?.id === stageNamed(0, /^Оплачено$/);
    if (paid && world.now - Date.parse(dialog.status_set_at ?? '') > SCENARIO_MS)
      Object.assign(dialog, { lead_status: { id: PACKING.id }, status_set_by: 'SCENARIO' });
    const silent =
      !dialog.ai_enabled || dialog.takeover_until !== null || scene.muted.has(dialog.lead_status?.id ?? '');
    if (dialog.waiting && !silent)
      Object.assign(dialog, {
        waiting: false,
        last_message: { role: 'AI', created_at: at(world.now + Math.min(pause, ANSWER_MS)) },
      });
  }
}

function take(world: World, scene: LifeScene, dialogs: LifeDialog[], act: LifeAct): void {
  const index = SCENES.indexOf(scene);
  let dialog =
    act.kind === 'write'
      ? dialogs.find(
          ({ phone, channel }) => phone === act.act.phone && channel === act.act.channel?.toUpperCase(),
        )
      : dialogs.find(({ thread_id }) => thread_id === act.threadId);
  world.acts.push({ at: world.now, act, before: structuredClone(dialog) });
  if (act.kind === 'read') return void Object.assign(dialog ?? {}, { unread_count: 0 });
  if (act.kind === 'pay')
    return void Object.assign(dialog ?? {}, {
      ...{ lead_status: { id: act.to }, status_set_by: 'SYSTEM', status_set_at: at(world.now) },
    });
  if (!dialog)
    dialogs.push((dialog = dialogOf({ ...act.act, channel: act.act.channel ?? '' }, '', world.now)));
  dialog.last_message = { role: 'USER', created_at: at(world.now) };
  dialog.waiting = true;
  dialog.unread_count += 1;
  if (act.intent === 'stop')
    Object.assign(dialog, { opted_out: true, ai_enabled: false, message_handler: 'OPERATOR' });
  const silent =
    !dialog.ai_enabled || dialog.takeover_until !== null || scene.muted.has(dialog.lead_status?.id ?? '');
  if (silent) return;
  if (act.intent === 'human')
    Object.assign(dialog, { takeover_until: at(world.now + 30 * 60_000), message_handler: 'OPERATOR' });
  const to = MOVES[act.intent];
  if (to)
    Object.assign(dialog, {
      ...{ lead_status: { id: stageNamed(index, to) }, status_set_at: at(world.now), status_set_by: 'AI' },
    });
}

const write = (act: LifeAct | null) => (act?.kind === 'write' ? act : null);

describe.each([1, 2, 3])("a day and a half of the demo's life (%i)", (seed) => {
  let world: World;
  /** How many of the funnel's main stages were empty of the cast, at each hundredth beat. */
  const occupied: number[] = [];
  const started = new Map<LifeScene, number>();

  beforeAll(() => {
    world = worldOf(seed);
    for (const [scene, dialogs] of world.dialogs) started.set(scene, dialogs.length);
    // People work in two dialogs: one is switched off, one is taken over for the whole time.
    const [first, second] = world.dialogs.get(SCENES[0] as LifeScene) ?? [];
    Object.assign(first ?? {}, { ai_enabled: false, message_handler: 'OPERATOR' });
    Object.assign(second ?? {}, { takeover_until: at(world.now + 1e9), message_handler: 'OPERATOR' });
    for (let n = 0; n < BEATS; n += 1) {
      beat(world);
      if (n % 100 !== 99) continue;
      const stages = (world.dialogs.get(SCENES[0] as LifeScene) ?? []).map(
        (dialog) => dialog.lead_status?.id,
      );
      occupied.push(SALES_FUNNEL.slice(0, 7).filter(({ id }) => stages.includes(id)).length);
    }
  });

  it('has an act each 10 to 25 s', () => {
    const spanMs = (world.acts.at(-1)?.at ?? 0) - (world.acts[0]?.at ?? 0);
    const mean = spanMs / world.acts.length;
    expect(mean).toBeGreaterThan(10_000);
    expect(mean).toBeLessThan(25_000);
  });

  it('keeps the number of dialogs: only its few newcomers are added', () => {
    for (const [scene, dialogs] of world.dialogs) {
      const newcomers = scene.cast.filter(({ newcomer }) => newcomer !== undefined).length;
      expect(dialogs.length).toBe((started.get(scene) ?? 0) + newcomers);
      expect(newcomers).toBeLessThanOrEqual(10);
    }
  });

  it('does not let the board run empty: leads that are done come back', () => {
    expect(Math.min(...occupied)).toBeGreaterThanOrEqual(2);
    expect(occupied.reduce((sum, one) => sum + one, 0) / occupied.length).toBeGreaterThan(4);
    const phones = (world.dialogs.get(SCENES[0] as LifeScene) ?? []).map(({ phone }) => phone);
    const moves = world.acts
      .map(({ act }) => write(act))
      .filter((act) => act?.intent === 'again' && phones.includes(act.act.phone));
    expect(moves.length).toBeGreaterThan(100);
  });

  it('never moves a lead where people work, and writes there only now and then', () => {
    const touched = (world.dialogs.get(SCENES[0] as LifeScene) ?? []).slice(0, 2);
    for (const { thread_id: id, phone } of touched) {
      const here = world.acts.filter(({ act }) =>
        act.kind === 'write' ? act.act.phone === phone : act.threadId === id,
      );
      expect(here.filter(({ act }) => act.kind === 'pay')).toEqual([]);
      const lines = here.filter(({ act }) => act.kind === 'write');
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.length).toBeLessThanOrEqual(3);
      for (const { act } of lines) expect(write(act)?.intent).toBe('wait');
    }
  });

  it('has customers who ask for a person, or unsubscribe, rarely', () => {
    const count = (intent: Intent): number =>
      world.acts.filter(({ act }) => write(act)?.intent === intent).length;
    expect(count('human')).toBeGreaterThan(0);
    expect(count('human')).toBeLessThan(BEATS / 40);
    const silenced = [...world.dialogs.values()].flat().filter((dialog) => dialog.opted_out);
    expect(silenced.length).toBeLessThanOrEqual(3 * SCENES.length);
    for (const dialog of silenced) {
      const here = world.acts.filter(({ act }) => write(act)?.act.phone === dialog.phone);
      expect(write(here.at(-1)?.act ?? null)?.intent).toBe('stop');
    }
  });

  it('pays from the stage that awaits payment only', () => {
    const paid = world.acts.filter(({ act }) => act.kind === 'pay');
    expect(paid.length).toBeGreaterThan(100);
    for (const { act, before } of paid) expect(before?.lead_status?.id).toBe(act.kind === 'pay' && act.from);
  });

  it('keeps what nobody has read bounded', () => {
    const unread = [...world.dialogs.values()].flat().map(({ unread_count: count }) => count);
    expect(Math.max(...unread)).toBeLessThan(40);
  });
});

describe('what people have just done', () => {
  const scene = SCENES[0] as LifeScene;
  const NOW = Date.parse('2026-11-26T08:00:00Z');
  const [, member] = scene.cast;
  const dialog = dialogOf(member ?? { phone: '', channel: '' }, stageNamed(0, /^Ожидает оплаты$/), NOW);

  /** What a plan does with that dialog alone, over many beats of one minute. */
  function actsOn(change: Partial<LifeDialog>): LifeAct[] {
    let now = NOW;
    const plan = new LifePlan(seeded(7), () => now);
    return Array.from({ length: 14 }, () => {
      plan.pause();
      now += 60_000;
      return plan.next({ ...scene, cast: [member ?? scene.cast[0]!] }, [{ ...dialog, ...change }]);
    }).filter((act) => act !== null);
  }

  it('would be undone by the first payment, were it not theirs', () => {
    expect(actsOn({})[0]).toMatchObject({ kind: 'pay' });
  });

  it.each<[string, Partial<LifeDialog>]>([
    ['a card that they moved', { status_set_by: 'OPERATOR_MANUAL', status_set_at: at(NOW) }],
    ['a message that they wrote', { last_message: { role: 'OPERATOR', created_at: at(NOW) } }],
    ['the switch', { ai_enabled: false, message_handler: 'OPERATOR' }],
    ['a takeover', { takeover_until: at(NOW + 1e7), message_handler: 'OPERATOR' }],
  ])('stays: %s', (_, change) => {
    for (const act of actsOn(change)) expect(write(act)?.intent).toBe('wait');
  });

  it('an unsubscribed customer is silent', () => {
    expect(actsOn({ opted_out: true, ai_enabled: false, message_handler: 'OPERATOR' })).toEqual([]);
  });
});

it.each<[string, Partial<LifeDialog>]>([
  ['until a time', { takeover_until: '2026-12-26T08:00:00Z' }],
  ['until they end it', {}],
])('nobody asks for a person where people have enough dialogs already, %s', (_, takeover) => {
  const scene = SCENES[0] as LifeScene;
  const [free, ...others] = scene.cast.filter(({ newcomer }) => newcomer === undefined);
  /** How often the one customer whom the agent answers asks for a person, while it is done with so many others. */
  const asked = (taken: number): number => {
    let now = Date.parse('2026-11-26T08:00:00Z');
    const plan = new LifePlan(seeded(3), () => now);
    const dialogs = [free, ...others.slice(0, taken)].map((member, n) => ({
      ...dialogOf(member ?? { phone: '', channel: '' }, stageNamed(0, /^В работе$/), now),
      ...(n > 0 && { message_handler: 'OPERATOR' as const, ...takeover }),
    }));
    return Array.from({ length: 4_000 }, () => {
      plan.pause();
      now += 60_000;
      const act = plan.next({ ...scene, cast: free ? [free] : [] }, dialogs);
      // It arrives.
      if (dialogs[0]) dialogs[0].last_message = { role: 'USER', created_at: at(now) };
      return write(act)?.intent;
    }).filter((intent) => intent === 'human').length;
  };
  expect(asked(0)).toBeGreaterThan(0);
  expect(asked(2)).toBe(0);
});

it('a number that hears nothing any more is left alone for a while', () => {
  const scene = SCENES.find(({ assistantId }) => assistantId === ASSISTANTS[2]?.id) as LifeScene;
  let now = Date.parse('2026-11-26T08:00:00Z');
  const plan = new LifePlan(seeded(5), () => now);
  const dialogs = scene.cast.map((member) => dialogOf(member, CLINIC_FUNNEL[0]?.id ?? '', now));
  let written = 0;
  for (let n = 0; n < 60; n += 1) {
    plan.pause();
    now += 15_000;
    if (write(plan.next(scene, dialogs))) written += 1;
  }
  // A quarter of an hour: what was written in the first minute, and nothing after that.
  expect(written).toBeGreaterThan(0);
  expect(written).toBeLessThanOrEqual(6);
});
