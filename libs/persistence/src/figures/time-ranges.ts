import type { TimeRange } from './range-counts';

const DAY_MS = 86_400_000;

/** Days of a block, the longest first. Each is four of the next. */
const BLOCK_DAYS = [16, 4, 1];

/** A range of which the same is asked again whatever the span is: it may be kept. */
export interface AskedRange extends TimeRange {
  lasting: boolean;
}

/**
 * The blocks of a span: whole days of UTC, as long ones as fit, and what is left at its ends. Days that are not over yet are
 * one rest.
 */
export function utcBlocks({ from, until }: TimeRange, now = Date.now()): AskedRange[] {
  const [begin, end] = [Date.parse(from), Date.parse(until)];
  const blocks: AskedRange[] = [];
  const add = (to: number, lasting: boolean): void => {
    if (to > at) blocks.push({ from: iso(at), until: iso(to), lasting });
    at = Math.max(at, to);
  };
  let at = begin;
  const over = Math.floor(Math.min(end, now) / DAY_MS) * DAY_MS;
  add(Math.min(end, Math.ceil(begin / DAY_MS) * DAY_MS), false);
  while (at < over) {
    const days = BLOCK_DAYS.find((each) => at % (each * DAY_MS) === 0 && at + each * DAY_MS <= over) ?? 1;
    add(at + days * DAY_MS, true);
  }
  add(end, false);
  return blocks;
}

/** The same span in days of UTC. */
export function utcDays(span: TimeRange, now = Date.now()): AskedRange[] {
  return utcBlocks(span, now).flatMap((block) => (block.lasting ? daysOf(block) : [block]));
}

function daysOf({ from, until }: TimeRange): AskedRange[] {
  const days: AskedRange[] = [];
  for (let at = Date.parse(from); at < Date.parse(until); at += DAY_MS)
    days.push({ from: iso(at), until: iso(at + DAY_MS), lasting: true });
  return days;
}

const iso = (at: number): string => new Date(at).toISOString();
