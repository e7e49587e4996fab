import type { AuditedFields } from '@app/persistence/audit/audit-entry.entity';
import type { Changed } from '@app/persistence/audit/audit.repository';

/** Whose it is, and how the audit names it. */
export interface AuditedSubject {
  /** Null: it belongs to no account. */
  accountId: string | null;
  id: string | null;
  name: string | null;
}

/** What the audit shows of a kind of thing. Fields that are not listed are never shown. */
export interface AuditedThing<Row extends object> {
  /** As in the actions. */
  type: string;
  subjectOf: (row: Row) => AuditedSubject;
  shown: readonly (keyof Row & string)[];
  /** Shown as `changed`, whatever they are. */
  secret?: readonly (keyof Row & string)[];
}

/** In the place of a secret. */
export const SECRET_CHANGED = 'changed';

/**
 * The listed fields that differ, as they were and as they are; all of them for a thing that is new or gone.
 * @returns null when none differs
 */
export function differencesOf<Row extends object>(
  thing: AuditedThing<Row>,
  { before, after }: Changed<Row>,
): Changed<AuditedFields> | null {
  const differs = (field: keyof Row): boolean => textOf(before?.[field]) !== textOf(after?.[field]);
  const shown = thing.shown.filter(differs);
  const secret = (thing.secret ?? []).filter(differs);
  if (shown.length + secret.length === 0) return null;
  const fieldsOf = (row: Row): AuditedFields => Object.fromEntries(shown.map((field) => [field, row[field]]));
  const secrets = Object.fromEntries(secret.map((field) => [field, SECRET_CHANGED]));
  return {
    before: before && { ...fieldsOf(before), ...(!after && secrets) },
    after: after && { ...fieldsOf(after), ...secrets },
  };
}

/** Absent and null are alike. The keys of an object may come in any order. */
const textOf = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
