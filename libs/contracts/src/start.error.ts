/** Why a process cannot work as it was set up, in one line fit to be shown to the person who started it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
