import type { ElementType } from 'react';
import { contained } from '../format/direction.format';
import classes from './customer-text.module.css';

interface Props {
  text: string;
  /** A phone is written from left to right in every language. */
  isPhone?: boolean;
  component?: ElementType;
  className?: string;
}

/** Words of customers, models and providers: text and nothing else, isolated in its own direction. */
export function CustomerText({ text, isPhone = false, component: Tag = 'bdi', className }: Props) {
  return (
    <Tag dir={isPhone ? 'ltr' : 'auto'} className={className ? `${classes.text} ${className}` : classes.text}>
      {contained(text)}
    </Tag>
  );
}
