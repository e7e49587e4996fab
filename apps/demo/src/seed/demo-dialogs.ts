/** The phone of the customer of the nth seeded dialog. */
export const phoneOfDialog = (n: number): string => `+7701555${String(1000 + n)}`;

/** Which of its bot's numbers the nth seeded dialog is on: a fifth are on the last one. */
export const placeOfNumber = (n: number, numbers: number): number => (n % 5 === 0 ? numbers - 1 : 0);
