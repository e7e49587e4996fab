import { useEffect, useState } from 'react';

/**
 * For a dialog that is mounted when it is wanted. It opens after it is there, and goes after it has closed: Mantine gives the
 * focus back to where it was only then.
 */
export function useOpening(onClose: () => void): {
  opened: boolean;
  onClose: () => void;
  onExitTransitionEnd: () => void;
} {
  const [opened, setOpened] = useState(false);
  useEffect(() => setOpened(true), []);
  return { opened, onClose: () => setOpened(false), onExitTransitionEnd: onClose };
}
