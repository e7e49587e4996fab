import { BOARD_NAMESPACE } from '@app/contracts/board.events';

/** Where the boards of a service are, in the words of Socket.IO. */
export interface BoardAddress {
  url: string;
  path: string;
}

/**
 * @param baseUrl of the service, with or without a slash at its end, such as `https://example.com/leadline`; in its own
 * pages none is needed
 */
export function boardAddress(baseUrl = ''): BoardAddress {
  const [, origin = '', prefix = ''] = /^([a-z][a-z\d+.-]*:\/\/[^/]*)?(.*?)\/*$/i.exec(baseUrl) ?? [];
  return { url: origin + BOARD_NAMESPACE, path: `${prefix}/socket.io` };
}
