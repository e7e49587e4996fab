import { Drawer, NavLink } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useOpening } from '../shared/ui/opening.hook';
import { appWords } from './app.words';

interface MenuPage {
  to: '/' | '/send' | '/figures' | '/runs' | '/settings';
  label: string;
  Icon: ComponentType<{ size: number; 'aria-hidden': true }>;
  isHere: boolean;
}

/** The pages, where there is no room for their names beside each other. */
export function PageMenu({ pages, onClose }: { pages: readonly MenuPage[]; onClose: () => void }) {
  const t = appWords.use();
  const opening = useOpening(onClose);
  return (
    <Drawer {...opening} title={t('menu')} size={260}>
      {pages.map(({ to, label, Icon, isHere }) => (
        <NavLink
          key={to}
          component={Link}
          to={to}
          label={label}
          active={isHere}
          aria-current={isHere ? 'page' : undefined}
          leftSection={<Icon size={18} aria-hidden />}
        />
      ))}
    </Drawer>
  );
}
