/** What the address of `/send` says. */
export interface SendSearch {
  /** The ids of a list's parts, with commas between them. */
  batch?: string;
  /** How many recipients the whole list has, also those that were not handed over yet. */
  of?: number;
  /** The dialog whose customer is written to. */
  thread?: string;
}

/** Reads an address. What it does not know is left out. */
export const sendSearch = ({ batch, of, thread }: Record<string, unknown>): SendSearch => ({
  ...(typeof batch === 'string' && batch !== '' ? { batch } : {}),
  ...(typeof of === 'number' && Number.isInteger(of) && of > 0 ? { of } : {}),
  ...(typeof thread === 'string' ? { thread } : {}),
});
