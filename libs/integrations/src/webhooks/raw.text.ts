/** How much is kept of an item that is nested too deeply to be written at once. */
const DEEP_LENGTH_MAX = 65_536;

/** An item as JSON text, to be stored among the rejects. Never throws. */
export function rawTextOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'nothing';
  } catch {
    // JSON.parse accepts deep nesting, such as 200,000 arrays inside each other, that JSON.stringify cannot write.
    return beginningOf(value);
  }
}

/** The beginning of a value as JSON, written without recursion. */
function beginningOf(value: unknown): string {
  let text = '';
  /** Values still to be written, and the punctuation between them. The last entry is next. */
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
