/** Who changed what. The database itself refuses to change an entry. */
export const AUDIT: readonly string[] = [
  `
  CREATE TABLE audit_entries (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    actor_type text,
    actor_id text,
    actor_name text,
    action text NOT NULL,
    subject_type text NOT NULL,
    subject_id text,
    subject_name text,
    before jsonb,
    after jsonb,
    request_id text,
    ip text,
    PRIMARY KEY (account_id, id),
    CONSTRAINT audit_entries_actor_is_whole CHECK ((actor_type IS NULL) = (actor_id IS NULL))
  )`,
  'CREATE INDEX audit_entries_newest ON audit_entries (account_id, at, id)',
  'CREATE INDEX audit_entries_actor ON audit_entries (account_id, actor_id, at, id)',
  'CREATE INDEX audit_entries_action ON audit_entries (account_id, action, at, id)',
  'CREATE INDEX audit_entries_subject ON audit_entries (account_id, subject_id, at, id)',
  'CREATE INDEX audit_entries_age ON audit_entries (at, id)',
  'CREATE INDEX audit_entries_any_actor ON audit_entries (actor_id, at, id)',
  'CREATE INDEX audit_entries_any_action ON audit_entries (action, at, id)',
  'CREATE INDEX audit_entries_any_subject ON audit_entries (subject_id, at, id)',
  // Whether nothing differs but that texts became "erased".
  `
  CREATE FUNCTION audit_only_erased(was jsonb, is_now jsonb) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
  BEGIN
    IF was IS NOT DISTINCT FROM is_now THEN RETURN true; END IF;
    IF was IS NULL OR is_now IS NULL THEN RETURN false; END IF;
    IF jsonb_typeof(was) = 'string' THEN RETURN is_now = '"erased"'; END IF;
    IF jsonb_typeof(was) IS DISTINCT FROM jsonb_typeof(is_now) THEN RETURN false; END IF;
    IF jsonb_typeof(was) = 'object' THEN
      RETURN NOT EXISTS (
        SELECT FROM jsonb_each(was) w FULL JOIN jsonb_each(is_now) n USING (key)
         WHERE NOT audit_only_erased(w.value, n.value));
    END IF;
    IF jsonb_typeof(was) = 'array' THEN
      RETURN NOT EXISTS (
        SELECT FROM jsonb_array_elements(was) WITH ORDINALITY w (value, place)
          FULL JOIN jsonb_array_elements(is_now) WITH ORDINALITY n (value, place) USING (place)
         WHERE NOT audit_only_erased(w.value, n.value));
    END IF;
    RETURN false;
  END $$`,
  // The value with "erased" for each text that is a name, or in which a phone occurs.
  `
  CREATE FUNCTION audit_erase(was jsonb, names text[], phones text[]) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
  BEGIN
    CASE jsonb_typeof(was)
      WHEN 'string' THEN
        RETURN CASE WHEN was #>> '{}' = ANY (names)
                      OR EXISTS (SELECT FROM unnest(phones) phone WHERE strpos(was #>> '{}', phone) > 0)
                    THEN '"erased"' ELSE was END;
      WHEN 'object' THEN
        RETURN (SELECT coalesce(jsonb_object_agg(key, audit_erase(value, names, phones)), '{}')
                  FROM jsonb_each(was));
      WHEN 'array' THEN
        RETURN (SELECT coalesce(jsonb_agg(audit_erase(value, names, phones) ORDER BY place), '[]')
                  FROM jsonb_array_elements(was) WITH ORDINALITY e (value, place));
      ELSE RETURN was;
    END CASE;
  END $$`,
  // The id of a call may name a customer, too.
  `
  CREATE FUNCTION audit_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' THEN
      IF OLD.at < clock_timestamp() - interval '2 years' THEN RETURN OLD; END IF;
    END IF;
    IF TG_OP = 'UPDATE' THEN
      IF to_jsonb(NEW) - '{subject_name,before,after,request_id}'::text[]
         = to_jsonb(OLD) - '{subject_name,before,after,request_id}'::text[]
         AND audit_only_erased(to_jsonb(OLD.subject_name), to_jsonb(NEW.subject_name))
         AND audit_only_erased(to_jsonb(OLD.request_id), to_jsonb(NEW.request_id))
         AND audit_only_erased(OLD.before, NEW.before) AND audit_only_erased(OLD.after, NEW.after)
      THEN RETURN NEW; END IF;
    END IF;
    RAISE EXCEPTION 'an entry of the audit cannot be changed, and not be deleted for two years'
      USING ERRCODE = 'insufficient_privilege';
  END $$`,
  `
  CREATE TRIGGER audit_entries_unchanged BEFORE UPDATE OR DELETE ON audit_entries
    FOR EACH ROW EXECUTE FUNCTION audit_refuse_change()`,
  `
  CREATE TRIGGER audit_entries_kept BEFORE TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse_change()`,
];
