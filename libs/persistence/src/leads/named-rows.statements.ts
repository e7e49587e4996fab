/** What entries of a dialog's log name by ids, as the API shows it. */

/** A stage of the row, or null where there is none. */
export const stageRef = (row: string): string =>
  `CASE WHEN ${row}.id IS NOT NULL THEN
     jsonb_build_object('id', ${row}.id, 'name', ${row}.name, 'kind', ${row}.kind, 'order', ${row}."order") END`;

/** A person of the row, or null where there is none. */
export const personRef = (row: string): string =>
  `CASE WHEN ${row}.id IS NOT NULL THEN jsonb_build_object('id', ${row}.id, 'name', ${row}.name) END`;

/** Types of entries whose values are of other rows. */
export const OF_OTHER_ROWS = `('status', 'assignee')`;

/** What an entry `e` of a type names by its id. */
const namedBy = (type: string, value: 'from' | 'to'): string =>
  `CASE e.type WHEN '${type}' THEN (e.body ->> '${value}')::uuid END`;

/** Joins to an entry `e` the stages `f` and `n` and the persons `fp` and `np` that it names: the former and the new ones. */
export const namedRows = (account: string): string => `
    LEFT JOIN statuses f ON f.account_id = ${account} AND f.id = ${namedBy('status', 'from')}
    LEFT JOIN statuses n ON n.account_id = ${account} AND n.id = ${namedBy('status', 'to')}
    LEFT JOIN users fp ON fp.account_id = ${account} AND fp.id = ${namedBy('assignee', 'from')}
    LEFT JOIN users np ON np.account_id = ${account} AND np.id = ${namedBy('assignee', 'to')}`;
