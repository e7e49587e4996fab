const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Ends what runs before this process ends at somebody's wish. */
export function onInterruption(end: () => Promise<void>): { forget(): void } {
  const leave = (): void => void end().finally(() => process.exit(130));
  for (const signal of SIGNALS) process.once(signal, leave);
  return {
    forget: () => {
      for (const signal of SIGNALS) process.off(signal, leave);
    },
  };
}
