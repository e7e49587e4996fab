import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns of each table, was and is. */
const COLUMNS: readonly (readonly [table: string, was: string, is: string])[] = [
  ['replies', 'handed_off', 'part_sent'],
  ['messages', 'handoff_until', 'send_permit_until'],
  ['messages', 'came_in', 'inbound'],
  ['threads', 'wished_at', 'opt_requested_at'],
  ['threads', 'wish_arrived_at', 'opt_request_arrived_at'],
  ['threads', 'asked_at', 'last_inbound_at'],
  ['threads', 'asked_since', 'burst_started_at'],
  ['threads', 'answered_at', 'last_outbound_at'],
  ['parked_states', 'look_at', 'next_check_at'],
];

const INDEXES: readonly (readonly [was: string, is: string])[] = [
  ['messages_came_in', 'messages_inbound'],
  ['messages_went_out', 'messages_outbound'],
  ['messages_handoffs', 'messages_send_permits'],
  ['parked_states_look', 'parked_states_due'],
  ['threads_dialog', 'threads_contact'],
];

/** Names each constraint, index and sequence of a table after the table's new name. */
const renamedAfter = (table: string, was: string, is: string): string => `
  DO $$
  DECLARE
    named record;
  BEGIN
    FOR named IN
      SELECT conname AS name FROM pg_constraint
       WHERE conrelid = '${table}'::regclass AND starts_with(conname, '${was}_')
    LOOP
      EXECUTE format('ALTER TABLE ${table} RENAME CONSTRAINT %I TO %I', named.name,
                     overlay(named.name PLACING '${is}' FROM 1 FOR ${was.length}));
    END LOOP;
    FOR named IN
      SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
       WHERE i.indrelid = '${table}'::regclass AND starts_with(c.relname, '${was}_')
    LOOP
      EXECUTE format('ALTER INDEX %I RENAME TO %I', named.name,
                     overlay(named.name PLACING '${is}' FROM 1 FOR ${was.length}));
    END LOOP;
    FOR named IN
      SELECT s.relname AS name FROM pg_depend d JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
       WHERE d.refobjid = '${table}'::regclass AND starts_with(s.relname, '${was}_')
    LOOP
      EXECUTE format('ALTER SEQUENCE %I RENAME TO %I', named.name,
                     overlay(named.name PLACING '${is}' FROM 1 FOR ${was.length}));
    END LOOP;
  END $$`;

/** Tables and columns are called by the field's words: a reply, a send permit, an opt request, inbound and outbound. */
export class PlainNames1763989200000 implements MigrationInterface {
  name = 'PlainNames1763989200000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE reply_turns RENAME TO replies');
    await db.query(renamedAfter('replies', 'reply_turns', 'replies'));
    for (const [table, was, is] of COLUMNS) await db.query(`ALTER TABLE ${table} RENAME ${was} TO ${is}`);
    for (const [was, is] of INDEXES) await db.query(`ALTER INDEX ${was} RENAME TO ${is}`);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const [was, is] of INDEXES) await db.query(`ALTER INDEX ${is} RENAME TO ${was}`);
    for (const [table, was, is] of COLUMNS) await db.query(`ALTER TABLE ${table} RENAME ${is} TO ${was}`);
    await db.query(renamedAfter('replies', 'replies', 'reply_turns'));
    await db.query('ALTER TABLE replies RENAME TO reply_turns');
  }
}
