import { isObject } from '@app/contracts/json-object';

export const MODEL_OPTIONS_MAX = 20;
export const MODEL_OPTIONS_CHARACTERS_MAX = 4_000;

const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** What makes a request ours: the dialog, the tools that are counted, and one answer that is read as it comes. */
const OURS: ReadonlySet<string> = new Set(['messages', 'model', 'n', 'stream', 'tools']);

/** Whether a value has fields of a request to a model that an agent may set. Null leaves a field out. */
export function areModelOptions(value: unknown): value is object {
  if (!isObject(value)) return false;
  const names = Object.keys(value);
  return (
    names.length <= MODEL_OPTIONS_MAX &&
    names.every((name) => NAME.test(name) && !OURS.has(name)) &&
    JSON.stringify(value).length <= MODEL_OPTIONS_CHARACTERS_MAX
  );
}
