/**
 * Whether somebody may take one more of the slots that several share: at most as many as stay free for all others. The
 * first may take half of them, the second half of what is left, and so on, so a few who have much to do always leave
 * slots for a new one.
 * @param held slots that they hold already
 * @param free slots that nobody holds
 */
export const mayTakeSlot = (held: number, free: number): boolean => held < free;
