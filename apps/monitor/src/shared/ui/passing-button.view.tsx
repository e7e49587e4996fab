import { Button, type ButtonProps } from '@mantine/core';
import { usePassedFocus } from './passed-focus.hook';

interface Props extends ButtonProps {
  /** What has the focus then. */
  next: () => HTMLElement | null | undefined;
  onClick: () => void;
}

/** A button that goes when it has done its work. */
export function PassingButton({ next, ...button }: Props) {
  return <Button {...button} {...usePassedFocus(next)} />;
}
