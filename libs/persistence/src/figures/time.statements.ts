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
