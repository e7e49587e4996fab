import { NativeSelect } from '@mantine/core';
import { useSignedIn } from '../../../shared/session/session.store';
import { settingsWords } from '../settings.words';

interface Props {
  value: string;
  onChange: (assistantId: string) => void;
}

/** The agent whose things a page shows, of those that the person sees. */
export function AgentChoice({ value, onChange }: Props) {
  const t = settingsWords.use();
  const { assistants } = useSignedIn();
  return (
    <NativeSelect
      label={t('agent')}
      size="xs"
      maw={280}
      data={assistants.map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
