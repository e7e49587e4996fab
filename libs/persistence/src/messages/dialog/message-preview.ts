const PREVIEW_MAX = 500;

/**
 * What a dialog's card shows of its last message, as an expression over the message's text. Every list and every
 * event of the dialog carries it to every board, so it has at most 500 characters; the last one is an ellipsis where
 * there were more.
 */
export const previewOf = (text: string): string =>
  `CASE WHEN length(${text}) > ${PREVIEW_MAX} THEN left(${text}, ${PREVIEW_MAX - 1}) || '…' ELSE ${text} END`;
