const UNIQUE_VIOLATION = '23505';

/** Whether another statement took a unique value at the same moment. A new statement will see that row. */
export const isUniqueClash = (error: unknown): boolean =>
  (error as { code?: string }).code === UNIQUE_VIOLATION;
