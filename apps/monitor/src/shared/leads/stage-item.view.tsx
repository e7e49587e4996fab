import { Menu } from '@mantine/core';
import { useRef } from 'react';
import { CustomerText } from '../ui/customer-text.view';
import { usePassedFocus } from '../ui/focus.hook';

interface Props {
  id: string | null;
  name: string;
  /** The lead stands there. */
  isPresent: boolean;
  closesMenu?: boolean;
  onChoose: () => void;
}

/** A stage in a menu of stages. One that is archived while it has the focus passes it on to the present one. */
export function StageItem({ id, name, isPresent, closesMenu = false, onChoose }: Props) {
  const menu = useRef<Element | null>(null);
  const { onFocus, onBlur } = usePassedFocus(() => {
    const stages = [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitemradio]') ?? [])];
    return stages.find(({ ariaChecked }) => ariaChecked === 'true') ?? stages[0];
  });
  return (
    <Menu.RadioItem
      value={id ?? 'none'}
      checked={isPresent}
      closeMenuOnClick={closesMenu}
      data-autofocus={isPresent || undefined}
      onFocus={({ currentTarget }) => {
        menu.current = currentTarget.closest('[role=menu]');
        onFocus();
      }}
      onBlur={onBlur}
      // The present one too: the message that waits may be answered where the lead stands.
      onClick={onChoose}
    >
      <CustomerText text={name} />
    </Menu.RadioItem>
  );
}
