interface DiffLine {
  kind: 'same' | 'gone' | 'new';
  text: string;
}

/** Longer texts are told whole: the comparison grows with the square of their lines. */
const LINES_MAX = 400;

/** How one text became another, line by line: the longest common sequence stays. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const told = (kind: DiffLine['kind'], lines: string[]) => lines.map((text) => ({ kind, text }));
  if (old.length > LINES_MAX || fresh.length > LINES_MAX)
    return [...told('gone', old), ...told('new', fresh)];
  const common = commonLengths(old, fresh);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < fresh.length) {
    if (old[i] === fresh[j]) {
      lines.push({ kind: 'same', text: old[i++] ?? '' });
      j++;
    } else if ((common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0)) {
      lines.push({ kind: 'gone', text: old[i++] ?? '' });
    } else {
      lines.push({ kind: 'new', text: fresh[j++] ?? '' });
    }
  }
  return [...lines, ...told('gone', old.slice(i)), ...told('new', fresh.slice(j))];
}

/** Of the rests of both texts from each pair of lines on. */
function commonLengths(old: readonly string[], fresh: readonly string[]): number[][] {
  const lengths = Array.from({ length: old.length + 1 }, () => Array<number>(fresh.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      lengths[i]![j] =
        old[i] === fresh[j]
          ? (lengths[i + 1]?.[j + 1] ?? 0) + 1
          : Math.max(lengths[i + 1]?.[j] ?? 0, lengths[i]?.[j + 1] ?? 0);
  return lengths;
}
