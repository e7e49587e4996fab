import { NOTE, QUIET_TYPES } from '@app/contracts/message.words';

const QUIET = QUIET_TYPES.map((type) => `'${type}'`).join(', ');

/** Whether a message is between the business and the customer. A note is not. */
export const isSaid = (message: string): string => `(${message}.inbound OR ${message}.type <> '${NOTE}')`;

/** Whether a message is a customer's that somebody has to read. Of one that nobody could take apart its content has the kind. */
export const isToBeRead = (message: string): string =>
  `(${message}.inbound AND CASE ${message}.type WHEN 'unsupported' THEN coalesce(${message}.content ->> 'unsupported_type', '')
             ELSE ${message}.type END NOT IN (${QUIET}))`;

/** What is shown of the content of a message. One of ours has what the provider gets. */
export const shownContent = (m: string): string =>
  `CASE WHEN ${m}.inbound THEN ${m}.content - ARRAY['further', 'media', 'revisions', 'deleted'] ELSE '{}'::jsonb END`;
