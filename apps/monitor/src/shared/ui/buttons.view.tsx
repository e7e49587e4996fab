import { Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes } from 'react';
import { usePassedFocus } from './focus.hook';

type LinkButtonProps = ButtonProps & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps>;

/** A link to a page of ours that looks like a button. */
export const LinkButton = createLink((props: LinkButtonProps) => <Button component="a" {...props} />);

interface Props extends ButtonProps {
  /** What has the focus then. */
  next: () => HTMLElement | null | undefined;
  onClick: () => void;
}

/** A button that goes away when it has done its work, and passes the focus on. */
export function PassingButton({ next, ...button }: Props) {
  return <Button {...button} {...usePassedFocus(next)} />;
}
