/**
 * Written to a temporary file, because it is larger than `work_mem` of the session: where the disk is full it cannot be. A
 * small row proves little, for it finds room in a page that is there.
 */
export const WRITTEN_TO_DISK = `disk AS MATERIALIZED (SELECT repeat('x', 50000) AS written FROM generate_series(1, 3))`;
/** Reads it, or it would not be written. */
export const LENGTH_WRITTEN = '(SELECT sum(length(written)) FROM disk)';

/** The session's setting by which {@link WRITTEN_TO_DISK} is, in KiB. */
export const WRITES_TO_DISK = 'work_mem=64';

/** For a database that may have no schema yet. */
export const WRITE_TO_DISK = `WITH ${WRITTEN_TO_DISK} SELECT ${LENGTH_WRITTEN}`;

/** Whether the database takes no changes: a standby, or one that may only be read. */
export const REFUSES_CHANGES = `SELECT current_setting('transaction_read_only') = 'on' AS refuses`;
