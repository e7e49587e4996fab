import { RUN_STATES, type RunState } from '@app/contracts/scenario.words';

/** Which runs are listed, as the address has it. */
export interface RunsSearch {
  scenario_id?: string;
  state?: RunState;
  thread_id?: string;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Reads an address. What it does not know is left out. */
export function runsSearch(address: Record<string, unknown>): RunsSearch {
  const read: RunsSearch = {
    scenario_id: text(address.scenario_id),
    state: RUN_STATES.find((state) => state === address.state),
    thread_id: text(address.thread_id),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}
