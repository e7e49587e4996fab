import { Button, Menu } from '@mantine/core';
import type { HistoryEntryAnswer } from '@app/client/api.types';
import type { Card } from '@app/contracts/board.events';
import type { Assignee } from '@app/contracts/lead.words';
import IconUser from '@tabler/icons-react/icons/IconUser';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../shared/api/page.api';
import { useLive } from '../../shared/live/live.context';
import { tellError } from '../../shared/notices/notice.store';
import { useIsAdmin, useSignedIn } from '../../shared/session/session.store';
import { CustomerText } from '../../shared/ui/customer-text.view';
import classes from './head.module.css';
import { headWords } from './head.words';

interface Props {
  card: Card;
  history: readonly HistoryEntryAnswer[];
  onAssigned: (assignee: Assignee | null) => void;
}

/** Who looks after the customer. */
export function AssigneeMenu({ card, history, onAssigned }: Props) {
  const t = headWords.use();
  const { user } = useSignedIn();
  const [isOpen, setOpen] = useState(false);
  const colleagues = useColleagues(card, history, isOpen);
  const assign = async (userId: string | null): Promise<void> => {
    try {
      const answer = await api.post('/api/v1/leads/assign', {
        body: { thread_id: card.thread_id, user_id: userId },
      });
      onAssigned(answer.assignee);
    } catch (error) {
      tellError(error);
    }
  };
  const choices = [
    { id: user.id, name: t('me') },
    { id: null, name: t('nobody') },
    ...colleagues.filter(({ id }) => id !== user.id),
  ];
  const present = card.assignee?.id ?? null;
  return (
    <Menu position="bottom-start" onChange={setOpen}>
      <Menu.Target>
        <Button
          className={classes.choice}
          size="compact-sm"
          variant="default"
          leftSection={<IconUser size={14} aria-hidden />}
          aria-label={card.assignee ? t('assignee', { name: card.assignee.name }) : t('unassigned')}
        >
          <CustomerText text={card.assignee?.name ?? t('unassigned')} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.choices} aria-label={t('assign')}>
        {choices.map(({ id, name }) => (
          <Menu.RadioItem
            key={id ?? 'nobody'}
            value={id ?? 'nobody'}
            checked={id === present}
            closeMenuOnClick
            data-autofocus={id === present || undefined}
            onChange={() => void assign(id)}
          >
            <CustomerText text={name} />
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** An admin sees all people; an operator those whom the dialog and the board show. */
function useColleagues(card: Card, history: readonly HistoryEntryAnswer[], isOpen: boolean): Assignee[] {
  const isAdmin = useIsAdmin();
  const { store } = useLive();
  const users = useQuery({
    queryKey: ['users', 'assignable'],
    queryFn: () => api.get('/api/v1/admin/users', { params: { query: { limit: 200 } } }),
    enabled: isAdmin && isOpen,
  });
  const known = new Map<string, string>();
  const add = (person: Assignee | null | undefined): void =>
    void (person && known.set(person.id, person.name));
  add(card.assignee);
  for (const { actor, from, to, type } of history) {
    if (actor?.type === 'user') add(actor);
    if (type === 'assignee') for (const person of [from, to]) add(person as Assignee | null);
  }
  const board = store.board();
  for (const column of isOpen ? board.columnIds : [])
    for (const id of store.column(column)?.ids ?? []) add(store.card(id)?.card.assignee);
  for (const person of store.card(card.thread_id)?.present ?? []) add(person);
  for (const person of users.data?.users ?? [])
    if (!person.disabled && (person.assistant_ids?.includes(card.assistant_id) ?? true)) add(person);
  return [...known]
    .map(([id, name]) => ({ id, name }))
    .sort((one, other) => one.name.localeCompare(other.name));
}
