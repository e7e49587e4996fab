/** Blanks, and what Unicode has shown as nothing, such as a space of no width. */
const NOTHING_SEEN = /^[\s\p{Default_Ignorable_Code_Point}]*$/u;

/** Whether whoever reads a text sees nothing of it. */
export const isBlank = (text: string): boolean => NOTHING_SEEN.test(text);
