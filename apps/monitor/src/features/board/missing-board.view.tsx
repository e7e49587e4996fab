import { Group } from '@mantine/core';
import { useSignedIn } from '../../shared/session/session.store';
import { CustomerText } from '../../shared/ui/customer-text.view';
import { LinkButton } from '../../shared/ui/buttons.view';
import { EmptyState } from '../../shared/ui/states.view';
import classes from './board.module.css';
import { boardWords } from './board.words';

/** In the place of a board that is not there, or not this person's, with the way to those that are. */
export function MissingBoard({ assistantId }: { assistantId: string }) {
  const t = boardWords.use();
  const { assistants } = useSignedIn();
  return (
    <EmptyState
      isPage
      title={t('missing')}
      hint={t('missingHint')}
      action={
        <Group gap="xs" justify="center" maw="100%">
          {assistants
            .filter(({ id }) => id !== assistantId)
            .map(({ id, name }) => (
              <LinkButton
                key={id}
                to="/board/$assistantId"
                params={{ assistantId: id }}
                search={{}}
                size="xs"
                variant="light"
                maw="100%"
              >
                <CustomerText text={name} className={classes.otherName} />
              </LinkButton>
            ))}
        </Group>
      }
    />
  );
}
