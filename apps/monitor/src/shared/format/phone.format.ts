/** A phone in groups, as people read it: +7 701 555 10 06. Others than those of +7 stay as they are. */
export function readablePhone(phone: string): string {
  const parts = /^\+7(\d{3})(\d{3})(\d{2})(\d{2})$/.exec(phone);
  return parts ? `+7 ${parts.slice(1).join(' ')}` : phone;
}
