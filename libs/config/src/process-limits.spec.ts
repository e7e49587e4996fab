import { StartError } from '@app/contracts/coded.errors';

const DEFAULTS = { leaseMs: 10_000, sweepMs: 1_000, retriesMs: [5_000, 60_000] };

/** A process that was started with this setting. */
function processWith(setting: string | undefined) {
  const { PROCESS_LIMITS: former } = process.env;
  let limits!: typeof import('./process-limits');
  if (setting === undefined) delete process.env.PROCESS_LIMITS;
  else process.env.PROCESS_LIMITS = setting;
  try {
    jest.isolateModules(() => (limits = jest.requireActual('./process-limits')));
    return { work: limits.processLimits('work', DEFAULTS), check: limits.checkProcessLimits };
  } finally {
    if (former !== undefined) process.env.PROCESS_LIMITS = former;
    else delete process.env.PROCESS_LIMITS;
  }
}

/** What the start is refused with; null: it is not. */
function refusalOf(setting: object): string | null {
  const { check } = processWith(JSON.stringify(setting));
  try {
    check();
    return null;
  } catch (error) {
    if ((error as Error).name !== StartError.name) throw error;
    return (error as Error).message;
  }
}

it.each([undefined, '', '{}'])('limits are those of the code where the setting is %j', (setting) => {
  const { work, check } = processWith(setting);
  expect(work).toEqual(DEFAULTS);
  check();
});

it('limits that the setting names have its values, and no others', () => {
  const given = { 'work.leaseMs': 600, 'work.retriesMs': [1, 2, 3] };
  expect(processWith(JSON.stringify(given)).work).toEqual({
    leaseMs: 600,
    sweepMs: 1_000,
    retriesMs: [1, 2, 3],
  });
  expect(DEFAULTS.leaseMs).toBe(10_000);
  expect(refusalOf(given)).toBeNull();
});

it.each(['work.leeseMs', 'works.leaseMs', 'leaseMs'])('a start with a limit %s is refused', (name) => {
  expect(refusalOf({ [name]: 1 })).toBe(`PROCESS_LIMITS has "${name}", and there is no such limit`);
});

it.each([-1, 1.5, '600', null, true, 2_147_483_648, [600], {}])(
  'a start with %j for a limit is refused, which keeps its value',
  (value) => {
    expect(refusalOf({ 'work.leaseMs': value })).toBe(
      'PROCESS_LIMITS must have a whole number from 0 to 2147483647 for "work.leaseMs"',
    );
    expect(processWith(JSON.stringify({ 'work.leaseMs': value })).work).toEqual(DEFAULTS);
  },
);

it.each([600, [], [1, '2'], [1, -2]])('a start with %j for a list is refused', (value) => {
  expect(refusalOf({ 'work.retriesMs': value })).toMatch(/a list of whole numbers .* "work.retriesMs"$/);
});

it('a refusal tells of each fault in its own line', () => {
  expect(refusalOf({ 'work.leeseMs': 1, 'work.sweepMs': '1' })?.split('\n')).toHaveLength(2);
});
