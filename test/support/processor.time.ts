/** Milliseconds of the processor that this process takes for some work. Unlike a clock, it leaves out what else is running. */
export function processorMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
