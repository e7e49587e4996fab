import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core';
import type { Card } from '@app/contracts/board.events';
import IconPencil from '@tabler/icons-react/icons/IconPencil';
import { useRef, useState, type FormEvent } from 'react';
import { api } from '../../shared/api/page.api';
import { isComposing } from '../../shared/keys/typing.target';
import { CustomerText } from '../../shared/ui/customer-text.view';
import { commonWords } from '../../shared/words/common.words';
import { explain } from '../../shared/words/error.words';
import classes from './head.module.css';
import { headWords } from './head.words';
import { customerName } from '../../shared/leads/lead-names.format';

interface Props {
  card: Card;
  onNamed: (name: string | null) => void;
}

/** The customer's name, which people may change: theirs counts before the messenger's. */
export function NameField({ card, onNamed }: Props) {
  const t = headWords.use();
  const [isOpen, setOpen] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const isPhone = !card.customer_name?.trim() && card.erased_at === null && card.phone !== null;
  const close = (): void => {
    setOpen(false);
    // When it is there again.
    requestAnimationFrame(() => pencil.current?.focus());
  };
  if (isOpen) return <NameForm card={card} onNamed={onNamed} onClose={close} />;
  return (
    <h2 className={classes.title}>
      <CustomerText text={customerName(card)} isPhone={isPhone} className={classes.name} />
      {card.erased_at === null && (
        <Tooltip label={t('rename')}>
          <ActionIcon
            ref={pencil}
            variant="subtle"
            color="gray"
            size={24}
            aria-label={t('rename')}
            onClick={() => setOpen(true)}
          >
            <IconPencil size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </h2>
  );
}

function NameForm({ card, onNamed, onClose }: Props & { onClose: () => void }) {
  const t = headWords.use();
  const common = commonWords.use();
  const [name, setName] = useState(card.customer_name ?? '');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const answer = await api.post('/api/v1/leads/set-name', {
        body: { thread_id: card.thread_id, name: name.trim() === '' ? null : name.trim() },
      });
      onNamed(answer.customer_name);
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <form
      className={classes.rename}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <TextInput
        size="xs"
        autoFocus
        dir="auto"
        maxLength={200}
        aria-label={t('nameLabel')}
        placeholder={t('nameHint')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={error === null ? undefined : explain(error)}
      />
      <Button type="submit" size="compact-sm" loading={isBusy}>
        {common('save')}
      </Button>
      <Button size="compact-sm" variant="default" onClick={onClose}>
        {common('cancel')}
      </Button>
    </form>
  );
}
