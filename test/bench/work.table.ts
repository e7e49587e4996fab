/** Items of work that cost only their claim and their close, so that the mechanism is measured. */
export const WORK_TABLE = `
  CREATE TABLE bench_work (
    account_id uuid NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    -- Its handler keeps it until its process ends.
    held boolean NOT NULL DEFAULT false,
    done boolean NOT NULL DEFAULT false,
    started_at float8,
    started_by int,
    lease_token uuid,
    lease_until timestamptz,
    PRIMARY KEY (account_id, id));
  CREATE INDEX bench_work_due ON bench_work (account_id, id) WHERE NOT done`;

/** The same moment in every process of a machine, in milliseconds with fractions. */
export const wallClock = (): number => performance.timeOrigin + performance.now();
