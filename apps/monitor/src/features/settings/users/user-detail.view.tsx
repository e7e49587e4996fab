import type { InvitationLink, UserAnswer } from '@app/client/api-types';
import { ApiError } from '@app/client/api.errors';
import { Alert, Stack, Button, Fieldset, Group } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api, queryClient } from '../../../shared/api/page-api';
import { Ask } from '../../../shared/ui/ask.view';
import { confirmed } from '../../../shared/ui/confirmation.store';
import { SaveBar, LeaveGuard } from '../parts/forms/save-bar.view';
import { focusFirstError, useSave, useAct } from '../parts/forms/save.hook';
import { Mark } from '../parts/lists/entry-list.view';
import { DetailHead } from '../parts/lists/list-detail.view';
import { UserFields, changeOf, faultsOf, fieldOf, formOf, atTheirFields } from './user-fields.view';
import { usersQuery } from './users.query';
import { userWords } from './user.words';

interface UserActionsProps {
  user: UserAnswer;
  onLink: (link: InvitationLink) => void;
}

type Asked = 'newLink' | 'endSessions' | 'takeSecondFactor' | 'disable';

const WORDS = {
  newLink: ['newLinkTitle', 'newLinkText', 'linkMade'],
  endSessions: ['endSessionsTitle', 'endSessionsText', 'sessionsEnded'],
  takeSecondFactor: ['takeTitle', 'takeText', 'taken'],
  disable: ['disableTitle', 'disableText', 'disabledDone'],
} as const;

/** New link, sessions, second factor, disabling: each asked for once more, and each by the password. */
function UserActions({ user, onLink }: UserActionsProps) {
  const t = userWords.use();
  const { isBusy, act } = useAct();
  const [asked, setAsked] = useState<Asked | null>(null);
  // While the question fades away, it keeps its words.
  const [last, setLast] = useState<Asked>('newLink');
  const [isLastAdmin, setLastAdmin] = useState(false);
  const params = { path: { id: user.id } };
  const ask = (what: Asked): void => {
    setLast(what);
    setAsked(what);
  };
  const change = (body: { disabled?: boolean; second_factor?: false }) =>
    api.patch('/api/v1/admin/users/{id}', { params, body });
  const calls: Record<Asked, () => Promise<unknown>> = {
    newLink: async () => {
      const { invitation } = await api.post('/api/v1/admin/users/{id}/invitation', { params });
      onLink(invitation);
    },
    endSessions: () => api.delete('/api/v1/admin/users/{id}/sessions', { params }),
    takeSecondFactor: () => change({ second_factor: false }),
    disable: async () => {
      try {
        await change({ disabled: true });
      } catch (error) {
        setLastAdmin(error instanceof ApiError && error.code === 'LAST_ADMIN');
        throw error;
      }
    },
  };
  const [title, text, done] = WORDS[last];
  const perform = async (call: () => Promise<unknown>, told: string): Promise<void> => {
    setLastAdmin(false);
    await act(() => confirmed(async () => (await call(), true)), told);
    setAsked(null);
    void queryClient.invalidateQueries({ queryKey: usersQuery.queryKey });
  };
  return (
    <Fieldset legend={t('actions')}>
      <Group gap="xs">
        {!user.disabled && (
          <Button variant="default" onClick={() => ask('newLink')}>
            {t('newLink')}
          </Button>
        )}
        <Button variant="default" onClick={() => ask('endSessions')}>
          {t('endSessions')}
        </Button>
        {user.second_factor && (
          <Button variant="default" onClick={() => ask('takeSecondFactor')}>
            {t('takeSecondFactor')}
          </Button>
        )}
        {user.disabled ? (
          <Button
            variant="default"
            loading={isBusy}
            onClick={() => void perform(() => change({ disabled: false }), t('enabledDone'))}
          >
            {t('enable')}
          </Button>
        ) : (
          <Button variant="default" c="var(--ll-danger)" onClick={() => ask('disable')}>
            {t('disable')}
          </Button>
        )}
      </Group>
      {isLastAdmin && (
        <Alert color="red" mt="sm">
          {t('lastAdmin')}
        </Alert>
      )}
      <Ask
        isOpen={asked !== null}
        {...{ title: t(title), text: t(text), name: user.name, action: t(last), isBusy }}
        isGrave={last === 'disable'}
        onAnswer={() => void perform(calls[last], t(done))}
        onClose={() => setAsked(null)}
      />
    </Fieldset>
  );
}

interface Props {
  user: UserAnswer;
  onLink: (link: InvitationLink) => void;
}

/** A person: who it is, and what can be done about the way in. */
export function UserDetail({ user, onLink }: Props) {
  const t = userWords.use();
  const [before, setBefore] = useState(() => formOf(user));
  const form = useForm({ initialValues: before, validate: faultsOf });
  const { isBusy, formRef, save } = useSave(form, fieldOf);
  const submit = async (): Promise<void> => {
    const body = changeOf(form.getValues(), before);
    if (Object.keys(body).length === 0) return;
    const params = { path: { id: user.id } };
    const change = () => confirmed(() => api.patch('/api/v1/admin/users/{id}', { params, body }));
    const saved = await save(() => atTheirFields(form, formRef, change), t('saved'));
    if (!saved) return;
    setBefore(formOf(saved));
    form.setInitialValues(formOf(saved));
    form.reset();
    void queryClient.invalidateQueries({ queryKey: usersQuery.queryKey });
  };
  return (
    <>
      <DetailHead name={user.name}>
        {user.disabled && <Mark tone="bad" text={t('disabled')} />}
        {user.second_factor && <Mark tone="good" text={t('secondFactor')} />}
      </DetailHead>
      <Stack gap="md" maw={560}>
        <form
          noValidate
          ref={formRef}
          onSubmit={form.onSubmit(
            () => void submit(),
            () => focusFirstError(formRef.current),
          )}
        >
          <UserFields form={form} />
          {form.getValues().role !== before.role && (
            <Alert color="yellow" mt="sm">
              {t('roleEnds')}
            </Alert>
          )}
          <SaveBar isDirty={form.isDirty()} isBusy={isBusy} onDiscard={form.reset} />
        </form>
        <UserActions user={user} onLink={onLink} />
      </Stack>
      <LeaveGuard isDirty={() => form.isDirty()} />
    </>
  );
}
