/**
 * Why a number sends nothing until a person has seen to it. CREDENTIAL: the provider does not accept what we sign in with, or it
 * lacks a permission. BILLING_ERROR: the provider is not paid. RESTRICTED: the provider limits the account or the number.
 * STOPPED: the provider has reported that the number is closed.
 */
export const TROUBLE_CODES = ['CREDENTIAL', 'BILLING_ERROR', 'RESTRICTED', 'STOPPED'] as const;

export type TroubleCode = (typeof TROUBLE_CODES)[number];

/** What is told of numbers. NOTICE: the provider reports something that people should see; the number sends on. */
export const TOLD_TROUBLES = [...TROUBLE_CODES, 'NOTICE'] as const;
