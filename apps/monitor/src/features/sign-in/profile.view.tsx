import { Modal } from '@mantine/core';
import { profileWords } from './profile.words';

/** Password, second factor and sessions of the person who is signed in. */
export function Profile({ onClose }: { onClose: () => void }) {
  const t = profileWords.use();
  return <Modal opened onClose={onClose} title={t('title')} />;
}
