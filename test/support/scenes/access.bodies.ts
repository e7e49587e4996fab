import type { Cell } from './access.matrix';
import { PASSWORD } from './people.scene';

let made = 1000;
const word = (): string => String((made += 1));

/** By the table's names: what of the page's body does not fit to what is here, or may be sent but once. */
const INSTEAD: Record<string, (stage: string) => object> = {
  'account.update': () => ({ name: 'Ours', monthly_message_quota: undefined, media_quota_bytes: undefined }),
  'session.confirm': () => ({ password: PASSWORD }),
  'user.change_password': () => ({ current: PASSWORD, password: PASSWORD }),
  'user.create': () => ({ email: `${word()}@example.com` }),
  'user.update': () => ({ email: `${word()}@example.com` }),
  'tool.create': () => ({ name: `tool_${word()}` }),
  'template.create': () => ({ name: `hello_${word()}`, template_id: `hello_${word()}` }),
  'scenario.update': () => ({ state: 'on' }),
  'scenario.create': (stage) => ({ steps: [{ kind: 'set_status', status_id: stage }] }),
  'scenario.start': () => ({ thread_ids: [''], whole_stage: undefined }),
  'channel.connect': () => ({
    sender: `770112${word()}`,
    settings: { waba_id: '123456', app_id: 'an-app', app_name: 'TestApp' },
  }),
};

/** The operation with a body that it takes. */
export const fitting = (cell: Cell, stage: string): Cell => {
  const given = INSTEAD[cell.name ?? '']?.(stage);
  return given ? { ...cell, sample: { ...cell.sample, ...given } } : cell;
};

/** Does it for all side by side, a few at once. */
export async function eachOf<T>(all: readonly T[], does: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const caller = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await does(one);
  };
  await Promise.all(Array.from({ length: 4 }, caller));
}
