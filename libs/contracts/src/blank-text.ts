/** What nobody sees, inside brackets of a pattern: letters, marks and symbols among it to Unicode. */
export const UNSEEN = '\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800';

const NOTHING_SEEN = new RegExp(`^[\\s${UNSEEN}]*$`, 'u');

/** Whether whoever reads a text sees nothing of it. */
export const isBlank = (text: string): boolean => NOTHING_SEEN.test(text);
