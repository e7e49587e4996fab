export interface Reply {
  status: number;
  body: string;
}

/**
 * What is not the answer that was asked for is no work done: a rate of refusals says nothing.
 * @throws with the answer, so that a benchmark ends at the first one.
 */
export function expectAnswer(what: string, { status, body }: Reply, words: readonly string[]): void {
  const wrong = ['"ok":true', ...words].find((word) => !body.includes(word));
  if (status === 200 && wrong === undefined) return;
  const lacking = wrong === undefined ? '' : ` without ${wrong}`;
  throw new Error(`${what} was answered ${status}${lacking}: ${body.slice(0, 500)}`);
}
