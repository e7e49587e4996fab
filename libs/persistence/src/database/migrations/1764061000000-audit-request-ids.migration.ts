import type { MigrationInterface, QueryRunner } from 'typeorm';

const refuseChange = (erasable: string): string => `
  CREATE OR REPLACE FUNCTION audit_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' THEN
      IF OLD.at < clock_timestamp() - interval '2 years' THEN RETURN OLD; END IF;
    END IF;
    IF TG_OP = 'UPDATE' THEN
      IF to_jsonb(NEW) - '{${erasable}}'::text[] = to_jsonb(OLD) - '{${erasable}}'::text[]
         AND audit_only_erased(to_jsonb(OLD.subject_name), to_jsonb(NEW.subject_name))
         AND audit_only_erased(to_jsonb(OLD.request_id), to_jsonb(NEW.request_id))
         AND audit_only_erased(OLD.before, NEW.before) AND audit_only_erased(OLD.after, NEW.after)
      THEN RETURN NEW; END IF;
    END IF;
    RAISE EXCEPTION 'an entry of the audit cannot be changed, and not be deleted for two years'
      USING ERRCODE = 'insufficient_privilege';
  END $$`;

/** The id of a call may name a customer, whose erasure replaces it by `erased` as it does other texts of an entry. */
export class AuditRequestIds1764061000000 implements MigrationInterface {
  name = 'AuditRequestIds1764061000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(refuseChange('subject_name,before,after,request_id'));
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(refuseChange('subject_name,before,after'));
  }
}
