import type { TimeCount } from './figure.entity';

/** A day of 24 hours, whatever clocks do. */
export const DAY = `interval '86400 s'`;

/** How long a stay lasted, and how long a customer waited for a first answer. Indexes have the same expressions. */
export const lasted = '(left_at - entered_at)';
export const answered = '(at - began_at)';

/** The number of a class among those that begin at `begins`; 0: below the first. */
export const classOf = (time: string): string => `width_bucket(${time}, begins)`;

export const seconds = (from: string, to: string): string => `extract(epoch FROM ${to} - ${from})::float8`;

export const percentile = (fraction: string, value: string): string =>
  `percentile_cont(${fraction}) WITHIN GROUP (ORDER BY ${value})`;

/** The stage of a stay, where no stage is one, too: an index finds each by one comparison. */
export const stageOf = (status: string): string =>
  `coalesce(${status}, '00000000-0000-0000-0000-000000000000'::uuid)`;

/** The number of the doubling of a day within which a lead came back to a stage: it was gone for less than 2 ^ number days. */
export const GONE_MAX = 10;
export const goneFor = `width_bucket(entered_at - earlier_at, ARRAY[${Array.from(
  { length: GONE_MAX },
  (_, n) => `interval '${24 * 2 ** n} hours'`,
).join(', ')}])`;

/** The lengths in microseconds at which classes begin, in order; a class 0 is below the first. Whole numbers, so exact. */
export interface TimeClasses {
  begins: readonly number[];
}

/** Each doubling of a length is divided into as many classes, from a millisecond to some four years. */
const classesOf = (eachDoubling: number): TimeClasses => {
  const begins: number[] = [];
  for (let from = 1_024; from < 2 ** 47; from *= 2)
    for (let part = 0; part < eachDoubling; part += 1) begins.push(from + (from / eachDoubling) * part);
  return { begins };
};

/** Wide where groups are many, so that a count is short; narrow where very many times are alike. */
export const STAY_CLASSES = classesOf(8);
export const ANSWER_CLASSES = classesOf(32);

/** Longer than any. */
const ENDLESS = 2 ** 60;

/** Times of a group between two lengths in microseconds, of which the shortest are left out. */
export interface TimePlace<Group> {
  group: Group;
  /** The fraction of times that are shorter. */
  fraction: number;
  low: number;
  high: number;
  skip: number;
  /** How far the fraction is between the first time after those left out and the next one. */
  share: number;
}

/** How many times of each group are in each class, of several counts together. */
export function addedUp<Group>(
  counts: readonly (readonly TimeCount<Group>[])[],
): Map<Group, Map<number, number>> {
  const groups = new Map<Group, Map<number, number>>();
  for (const [group, classes, numbers] of counts.flat()) {
    const all = groups.get(group) ?? new Map<number, number>();
    groups.set(group, all);
    classes.forEach((each, place) => all.set(each, (all.get(each) ?? 0) + (numbers[place] ?? 0)));
  }
  return groups;
}

/** Where to look for the time that a fraction of a group's times does not exceed, between two of them interpolated linearly. */
export function placeOf<Group>(
  group: Group,
  counts: ReadonlyMap<number, number>,
  fraction: number,
  { begins }: TimeClasses,
): TimePlace<Group> | null {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const place = (total - 1) * fraction;
  const classes = [...counts].sort(([one], [other]) => one - other);
  const classAt = (number: number): { class: number; before: number } => {
    let before = 0;
    for (const [each, count] of classes) {
      if (number < before + count) return { class: each, before };
      before += count;
    }
    return { class: classes.at(-1)?.[0] ?? 0, before };
  };
  const [first, second] = [classAt(Math.floor(place)), classAt(Math.ceil(place))];
  return {
    ...{ group, fraction, share: place - Math.floor(place), skip: Math.floor(place) - first.before },
    low: first.class === 0 ? -ENDLESS : (begins[first.class - 1] ?? -ENDLESS),
    high: begins[second.class] ?? ENDLESS,
  };
}
