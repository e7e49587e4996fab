import { Anchor, Group, Text, Table } from '@mantine/core';
import { useState } from 'react';
import { isolated, readableJson } from '../../../shared/format/direction.format';
import { dateAndTime } from '../../../shared/format/time.format';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { actionInWords } from './audit-action.words';
import { auditWords } from './audit.words';
import type { AuditEntry, AuditFilters } from './audit.query';
import classes from './audit.module.css';

interface DiffLine {
  kind: 'same' | 'gone' | 'new';
  text: string;
}

/** Longer texts are told whole: the comparison grows with the square of their lines. */
const LINES_MAX = 400;

/** How one text became another, line by line: the longest common sequence stays. */
function lineDiff(before: string, after: string): DiffLine[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const told = (kind: DiffLine['kind'], lines: string[]) => lines.map((text) => ({ kind, text }));
  if (old.length > LINES_MAX || fresh.length > LINES_MAX)
    return [...told('gone', old), ...told('new', fresh)];
  const common = commonLengths(old, fresh);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < fresh.length) {
    if (old[i] === fresh[j]) {
      lines.push({ kind: 'same', text: old[i++] ?? '' });
      j++;
    } else if ((common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0)) {
      lines.push({ kind: 'gone', text: old[i++] ?? '' });
    } else {
      lines.push({ kind: 'new', text: fresh[j++] ?? '' });
    }
  }
  return [...lines, ...told('gone', old.slice(i)), ...told('new', fresh.slice(j))];
}

/** Of the rests of both texts from each pair of lines on. */
function commonLengths(old: readonly string[], fresh: readonly string[]): number[][] {
  const lengths = Array.from({ length: old.length + 1 }, () => Array<number>(fresh.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      lengths[i]![j] =
        old[i] === fresh[j]
          ? (lengths[i + 1]?.[j + 1] ?? 0) + 1
          : Math.max(lengths[i + 1]?.[j] ?? 0, lengths[i]?.[j + 1] ?? 0);
  return lengths;
}

/** What stands in the place of a secret. */
const SECRET = 'changed';

/** Fields that hold secrets, or say that one is new. */
const SECRETS = new Set([
  'key',
  'secret',
  'password',
  'credential',
  'headers',
  'link',
  'second_factor_secret',
]);

/** What an entry says was changed, field by field: as it was, and as it became. */
function Changes({ before, after }: Pick<AuditEntry, 'before' | 'after'>) {
  const t = auditWords.use();
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (fields.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('noValues')}
      </Text>
    );
  return (
    <Table className={classes.changes} aria-label={t('details')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t('fieldName')}</Table.Th>
          {before !== null && <Table.Th scope="col">{t('was')}</Table.Th>}
          {after !== null && <Table.Th scope="col">{t('became')}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {fields.map((field) => {
          const [old, fresh] = [before?.[field], after?.[field]];
          const isLong = [old, fresh].every((value) => typeof value === 'string' && value.includes('\n'));
          return (
            <Table.Tr key={field}>
              <Table.Th scope="row">
                <CustomerText text={field.replaceAll('_', ' ')} isPhone />
              </Table.Th>
              {isLong ? (
                <Table.Td colSpan={2}>
                  <Lines old={old as string} fresh={fresh as string} />
                </Table.Td>
              ) : (
                <>
                  {before !== null && (
                    <Table.Td>
                      <Value field={field} value={old} />
                    </Table.Td>
                  )}
                  {after !== null && (
                    <Table.Td>
                      <Value field={field} value={fresh} />
                    </Table.Td>
                  )}
                </>
              )}
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}

function Value({ field, value }: { field: string; value: unknown }) {
  const t = auditWords.use();
  if (value === null || value === undefined || value === '') return <em>{t('nothing')}</em>;
  if (value === SECRET && SECRETS.has(field)) return <em>{t('secret')}</em>;
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : listOf(value);
  return <CustomerText text={text} component="div" className={classes.value} />;
}

/** Plain lists by their commas; whatever else is in JSON. */
function listOf(value: unknown): string {
  const isPlain = Array.isArray(value) && value.every((item) => typeof item !== 'object');
  return isPlain ? value.map((item) => isolated(String(item))).join(', ') : readableJson(value);
}

function Lines({ old, fresh }: { old: string; fresh: string }) {
  const t = auditWords.use();
  const marks = { same: '\u00a0', gone: '−', new: '+' } as const;
  const words = { same: '', gone: t('was'), new: t('became') } as const;
  return lineDiff(old, fresh).map(({ kind, text }, index) => (
    <div key={index} className={classes.line} data-kind={kind}>
      <span aria-hidden>{marks[kind]} </span>
      {kind !== 'same' && <span className="ll-hidden">{words[kind]}: </span>}
      <CustomerText text={text} />
    </div>
  ));
}

interface Props {
  entry: AuditEntry;
  onNarrow: (filters: AuditFilters) => void;
}

/** One act: when, who, what to which thing, and on demand what changed by it. */
export function AuditRow({ entry, onNarrow }: Props) {
  const t = auditWords.use();
  const [isOpen, setOpen] = useState(false);
  const { at, actor, action, subject, before, after, request_id, ip } = entry;
  return (
    <li className={classes.entry} data-action={action}>
      <div className={classes.head}>
        <time className={classes.when} dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
          {dateAndTime(at)}
        </time>
        <div className={classes.what}>
          <Text span fw={600}>
            {actor ? <CustomerText text={actor.name} /> : t('service')}
          </Text>
          {actor && actor.type !== 'user' && (
            <Text span size="sm" c="dimmed">
              {' '}
              ({t(`type_${actor.type}`)})
            </Text>
          )}
          {' · '}
          {actionInWords(action)}
          {subject.name !== null && subject.id !== actor?.id && (
            <>
              {': '}
              <CustomerText text={subject.name} />
            </>
          )}
          <details onToggle={(event) => setOpen(event.currentTarget.open)}>
            <summary className={classes.summary}>{t('details')}</summary>
            {isOpen && (
              <>
                <Changes before={before} after={after} />
                <Group gap="xs" mt={4}>
                  {actor && (
                    <Anchor
                      component="button"
                      type="button"
                      size="sm"
                      lh="24px"
                      onClick={() => onNarrow({ actor: actor.id })}
                    >
                      {t('onlyActor')}
                    </Anchor>
                  )}
                  {subject.id !== null && (
                    <Anchor
                      component="button"
                      type="button"
                      size="sm"
                      lh="24px"
                      onClick={() => onNarrow({ subject: subject.id ?? undefined })}
                    >
                      {t('onlySubject')}
                    </Anchor>
                  )}
                </Group>
                <Text size="xs" c="dimmed">
                  {subject.id !== null && `${t('subjectId')} ${subject.id} · `}
                  {request_id === null ? t('command') : `${t('requestId')} ${request_id}`}
                  {ip !== null && ` · ${t('ip')} ${ip}`}
                </Text>
              </>
            )}
          </details>
        </div>
      </div>
    </li>
  );
}
