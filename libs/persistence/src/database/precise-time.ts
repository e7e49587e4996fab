/** A time as text with its microseconds, in UTC. A JavaScript date would cut them off. */
export const preciseTime = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')`;

/** The time in a parameter that {@link preciseTime} wrote. */
export const preciseTimeOf = (parameter: string): string => `${parameter}::timestamp AT TIME ZONE 'UTC'`;
