import classes from './mark.module.css';

export type Tone = 'plain' | 'good' | 'waiting' | 'bad' | 'info';

/** A word for the state of an entry. */
export function Mark({ tone = 'plain', text }: { tone?: Tone; text: string }) {
  return (
    <span className={classes.mark} data-tone={tone}>
      {text}
    </span>
  );
}
