import { Client } from 'pg';

/**
 * Puts another function in the place of a method of a class, or of a package. The compiler holds it to be one of the same
 * kind, so that a fault whose target has changed does not compile.
 */
export function override<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  by: (own: Owner[Name]) => Owner[Name],
): void {
  owner[name] = by(owner[name]);
}

/** A statement by its name, or words such as COMMIT. */
export type GivenQuery = string | { name?: string; text: string; values: unknown[] } | undefined;
export type Answered = (error: Error | null, result: { rows: unknown[] } | undefined) => void;
/** As it was given. `answered`: where the caller waits for no promise. */
export interface QueryCall {
  given: GivenQuery;
  answered: Answered | undefined;
  /** Makes it, by the driver. Where the caller waits for no promise, there is none. */
  make: (answered?: Answered) => Promise<unknown>;
}

/** Has each query that the process makes pass through a function, which makes it, or does not. */
export function overrideQueries(by: (client: Client, call: QueryCall) => unknown): void {
  const { query } = Client.prototype as unknown as { query: (this: Client, ...given: unknown[]) => unknown };
  function through(this: Client, ...all: unknown[]): unknown {
    const [given, values, last] = all;
    const answered = typeof last === 'function' ? (last as Answered) : undefined;
    const make: QueryCall['make'] = (other) =>
      (other ? query.call(this, given, values, other) : query.apply(this, all)) as Promise<unknown>;
    return by(this, { given: given as GivenQuery, answered, make });
  }
  Object.assign(Client.prototype, { query: through });
}

/** The name of a query that is a prepared statement. */
export const nameOf = (given: GivenQuery): string | undefined =>
  typeof given === 'object' ? given.name : undefined;

/** What a query has for a parameter of its statement. */
export const valueOf = <Parameter extends string>(
  given: GivenQuery,
  { parameters }: { parameters: readonly Parameter[] },
  parameter: Parameter,
): unknown => (typeof given === 'object' ? given.values[parameters.indexOf(parameter)] : undefined);

/** This process's clock as the machine's monotonic one, in milliseconds. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Reports on the standard error output what happened, to whom, when, and with which result: `fault.reports.ts` reads it. */
export const report = (word: string, about: string | number, at = now(), result = true): void => {
  process.stderr.write(`fault ${word} ${about} ${at} ${result ? 1 : 0}\n`);
};
