/** How much is kept of an item that is nested too deeply to be written at once. */
const DEEP_LENGTH_MAX = 65_536;

/** An item as JSON again, to be kept aside. Never throws. */
export function rawTextOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'nothing';
  } catch {
    // What JSON.parse still takes, such as 200,000 arrays in one another, JSON.stringify does not.
    return beginningOf(value);
  }
}

/** The beginning of a value as JSON, written without recursion. */
function beginningOf(value: unknown): string {
  let text = '';
  /** What is still to be written, the next at the end: values, or signs between them. */
  const left: ({ value: unknown } | string)[] = [{ value }];
  while (left.length > 0 && text.length < DEEP_LENGTH_MAX) {
    const next = left.pop();
    if (typeof next !== 'object') {
      text += next ?? '';
      continue;
    }
    const part = next.value;
    if (typeof part !== 'object' || part === null) {
      text += JSON.stringify(part);
      continue;
    }
    const isList = Array.isArray(part);
    text += isList ? '[' : '{';
    left.push(isList ? ']' : '}');
    const entries = Object.entries(part).slice(0, DEEP_LENGTH_MAX).reverse();
    for (const [index, [name, inner]] of entries.entries()) {
      left.push({ value: inner });
      if (!isList) left.push(`${JSON.stringify(name)}:`);
      if (index < entries.length - 1) left.push(',');
    }
  }
  return text;
}
