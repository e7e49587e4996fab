/**
 * What each program of the run has of our environment. The run's watcher recognises it by TMPDIR; what Node compiled
 * is kept for the run, which makes a start a third cheaper.
 */
export const ownEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  TMPDIR: process.env.TMPDIR,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
});
