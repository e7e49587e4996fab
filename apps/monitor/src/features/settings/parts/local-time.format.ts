const two = (number: number): string => String(number).padStart(2, '0');

/** A moment as `<input type="datetime-local">` has it, by the clock of this browser: 2026-03-05T14:05 */
export function localInput(at: string): string {
  const date = new Date(at);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
