import type { Response } from 'express';

const PATHS = new WeakMap<Response, string>();

/** Has the log name an address by its pattern: which dialog a person opened is not for the log. */
export function logPathAs(response: Response, pattern: string): void {
  PATHS.set(response, pattern);
}

/** The pattern; undefined where the path as it was sent will do. */
export const loggedPathOf = (response: Response): string | undefined => PATHS.get(response);
