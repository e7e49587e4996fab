/** Why a process cannot work with its present setup, in one line for the person who started it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
