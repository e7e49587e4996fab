import { Anchor, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { dateAndTime } from '../../../shared/format/time.format';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { actionInWords } from './audit-action.words';
import { auditWords } from './audit.words';
import type { AuditEntry, AuditFilters } from './audit.query';
import { Changes } from './changes.view';
import classes from './audit.module.css';

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
