/** What both send, letter for letter but for phone and reference. ASCII alone: the bare connection counts characters as bytes. */
export const TEMPLATE = 'order_ready';
export const PARAMS: readonly string[] = ['Aigerim', '15:30'];

let phones = 77_010_000_000;

/** Everybody is written to once, so that each message opens a dialog: the dearest case. */
export const newPhone = (): string => `+${(phones += 1)}`;
