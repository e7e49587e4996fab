import { Button, type ButtonProps } from '@mantine/core';
import { usePassedFocus } from './passed-focus.hook';

interface Props extends ButtonProps {
  /** What has the focus then. */
  next: () => HTMLElement | null | undefined;
  onClick: () => void;
}

/** A button that goes away when it has done its work, and passes the focus on. */
export function PassingButton({ next, ...button }: Props) {
  return <Button {...button} {...usePassedFocus(next)} />;
}
