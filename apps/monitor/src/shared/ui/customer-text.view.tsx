import type { ElementType } from 'react';
import { contained } from '../format/direction.format';
import classes from './customer-text.module.css';

interface Props {
  text: string;
  /** A phone is written from left to right in every language. */
  isPhone?: boolean;
  /** Of a text whose language is known, where it may be another than the page's. */
  lang?: 'en';
  component?: ElementType;
  className?: string;
}

/** Words of customers, models and providers: text and nothing else, isolated in its own direction. */
export function CustomerText({ text, isPhone = false, lang, component: Tag = 'bdi', className }: Props) {
  return (
    <Tag
      lang={lang}
      dir={isPhone ? 'ltr' : 'auto'}
      className={className ? `${classes.text} ${className}` : classes.text}
    >
      {contained(text)}
    </Tag>
  );
}
