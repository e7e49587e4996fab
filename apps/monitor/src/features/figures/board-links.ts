/** The address of a board with a filter, as the board page reads it. */
export function boardLink(assistantId: string, filter: Record<string, string | boolean> = {}): string {
  const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]));
  const words = query.toString();
  return `/board/${assistantId}${words === '' ? '' : `?${words}`}`;
}
