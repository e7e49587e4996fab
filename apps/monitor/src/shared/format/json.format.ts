import { withEscapedControls } from './direction.format';

/** A value as JSON, a field in each line. What would turn the direction of other lines is escaped. */
export const readableJson = (value: unknown): string => withEscapedControls(JSON.stringify(value, null, 2));
