import type { ButtonAnswer, HeaderAnswer } from '@app/client/api-types';

/** A template as it is shown, with the values of its variables in it. */
export interface Previewed {
  header: HeaderAnswer | null;
  body: string;
  footer: string | null;
  buttons: readonly Pick<ButtonAnswer, 'type' | 'text'>[];
}
