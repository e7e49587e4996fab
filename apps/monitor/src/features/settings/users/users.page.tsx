import type { InvitationLink, UserAnswer, InvitedUserAnswer } from '@app/client/api-types';
import { Stack, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../shared/api/page-api';
import { dateAndTime } from '../../../shared/format/time.format';
import { useSignedIn } from '../../../shared/session/session.store';
import { confirmed } from '../../../shared/ui/confirmation.store';
import { CustomerText } from '../../../shared/ui/customer-text.view';
import { EmptyState, ErrorState, LoadingState } from '../../../shared/ui/states.view';
import { presentLanguage } from '../../../shared/words/language.store';
import { SaveBar, LeaveGuard } from '../parts/forms/save-bar.view';
import { focusFirstError, useSave } from '../parts/forms/save.hook';
import { EntryList, Mark, NewButton } from '../parts/lists/entry-list.view';
import { ListDetail, DetailHead } from '../parts/lists/list-detail.view';
import { NEW, useOpenEntry } from '../parts/settings-search.hook';
import { ShownOnce } from '../parts/shown-once.view';
import { settingsWords } from '../settings.words';
import { AccountSettings } from './account-settings.view';
import { CustomerRights } from './customer-rights.view';
import { UserDetail } from './user-detail.view';
import { UserFields, bodyOf, faultsOf, fieldOf, newUserForm, atTheirFields } from './user-fields.view';
import { userWords } from './user.words';
import { usersQuery } from './users.query';

/** The form of a person who is not there yet. */
function NewUser({ onInvited }: { onInvited: (invited: InvitedUserAnswer) => void }) {
  const t = userWords.use();
  const form = useForm({ initialValues: newUserForm(presentLanguage()), validate: faultsOf });
  const { isBusy, formRef, save } = useSave(form, fieldOf);
  const submit = async (): Promise<void> => {
    const body = bodyOf(form.getValues());
    const invited = await save(
      () => atTheirFields(form, formRef, () => confirmed(() => api.post('/api/v1/admin/users', { body }))),
      t('invited'),
    );
    if (invited) onInvited(invited);
  };
  return (
    <>
      <DetailHead name={t('inviteTitle')} />
      <form
        noValidate
        ref={formRef}
        onSubmit={form.onSubmit(
          () => void submit(),
          () => focusFirstError(formRef.current),
        )}
      >
        <Stack gap={0} maw={560}>
          <UserFields form={form} />
          <SaveBar isDirty={false} isBusy={isBusy} label={t('invite')} />
        </Stack>
      </form>
      <LeaveGuard isDirty={() => form.isDirty()} />
    </>
  );
}

const ACCOUNT = 'account';
const RIGHTS = 'customer';

/** `/settings/users`: people, the account, and what customers may ask for. */
export function UsersPage() {
  const t = userWords.use();
  const settings = settingsWords.use();
  const queries = useQueryClient();
  const users = useQuery(usersQuery);
  const { user: self } = useSignedIn();
  const { id, open, reopen, close } = useOpenEntry();
  const [link, setLink] = useState<InvitationLink | null>(null);
  const shown = users.data?.find((user) => user.id === id);

  const list = (
    <Stack gap="md">
      {users.isPending ? (
        <LoadingState />
      ) : users.isError ? (
        <ErrorState error={users.error} onRetry={() => void users.refetch()} />
      ) : (
        <EntryList
          label={t('title')}
          entries={users.data.map((user) => entryOf(user, user.id === self.id))}
          openId={id}
          search={(next) => ({ id: next })}
        />
      )}
      <Title order={2}>{t('account')}</Title>
      <EntryList
        label={t('account')}
        entries={[
          { id: ACCOUNT, name: t('accountSettings'), detail: t('accountSettingsHint') },
          { id: RIGHTS, name: t('rights'), detail: t('rightsHint') },
        ]}
        openId={id}
        search={(next) => ({ id: next })}
      />
    </Stack>
  );
  const detail =
    id === undefined ? null : id === NEW ? (
      <NewUser
        onInvited={(invited) => {
          setLink(invited.invitation);
          void queries.invalidateQueries({ queryKey: usersQuery.queryKey }).then(() => reopen(invited.id));
        }}
      />
    ) : id === ACCOUNT ? (
      <AccountSettings />
    ) : id === RIGHTS ? (
      <CustomerRights />
    ) : shown ? (
      <UserDetail key={id} user={shown} onLink={setLink} />
    ) : users.isSuccess ? (
      <EmptyState title={settings('gone')} />
    ) : null;
  return (
    <>
      <ListDetail
        title={t('title')}
        action={<NewButton label={t('invite')} onClick={() => open(NEW)} />}
        list={list}
        detail={detail}
        onBack={close}
      />
      <ShownOnce
        secret={link?.url ?? null}
        {...{ title: t('linkTitle'), text: t('linkText'), label: t('linkLabel') }}
        further={link ? t('linkUntil', { at: dateAndTime(link.expires_at) }) : undefined}
        onClose={() => setLink(null)}
      />
    </>
  );
}

function entryOf(user: UserAnswer, isSelf: boolean) {
  const t = userWords.say;
  const { id, name, email, role, disabled, second_factor, last_seen_at } = user;
  return {
    ...{ id, name },
    detail: (
      <>
        <CustomerText text={email} /> ·{' '}
        {last_seen_at === null ? t('neverSeen') : t('seenAt', { at: dateAndTime(last_seen_at) })}
      </>
    ),
    mark: (
      <>
        {isSelf && <Mark tone="info" text={t('you')} />}
        {disabled && <Mark tone="bad" text={t('disabled')} />}
        {second_factor && <Mark tone="good" text={t('secondFactor')} />}
        <Mark tone={role === 'admin' ? 'info' : 'plain'} text={t(`role_${role}`)} />
      </>
    ),
  };
}
