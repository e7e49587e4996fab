import { Table, Text } from '@mantine/core';
import { readableJson } from '../../../shared/format/json.format';
import { isolated } from '../../../shared/format/direction.format';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import type { AuditEntry } from './audit.query';
import { auditWords } from './audit.words';
import { lineDiff } from './line.diff';
import classes from './audit.module.css';

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
export function Changes({ before, after }: Pick<AuditEntry, 'before' | 'after'>) {
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
