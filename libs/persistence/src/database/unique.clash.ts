const UNIQUE_VIOLATION = '23505';

/** Whether another statement took a unique value at the same moment: a statement that looks anew will see it. */
export const isUniqueClash = (error: unknown): boolean =>
  (error as { code?: string }).code === UNIQUE_VIOLATION;
