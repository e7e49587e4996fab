import { createApi, type Api, type ApiOptions } from './api-client';
import type { BoardChoice } from './board/board-views';
import { board, type Board } from './board/live-board';

/** Where the service is, and in whose name it is called. */
export interface LeadlineOptions extends Partial<ApiOptions> {
  /** Of the service, such as `https://leadline.example.com`. */
  baseUrl: string;
  /** Of an account, or an administrator's; without one the browser's session counts. Never put one into a web page. */
  apiKey?: string;
}

/** Every operation of the service, and its live boards. */
export interface LeadlineClient extends Api {
  /** See {@link board}. Close it, or the program does not end. */
  board(choice: BoardChoice): Board;
}

/** A client of one service, in the name of one key or one person. */
export function createLeadlineClient({ apiKey, ...options }: LeadlineOptions): LeadlineClient {
  const headers = { ...options.headers, ...(apiKey !== undefined && { 'X-API-Key': apiKey }) };
  return {
    ...createApi({ csrf: () => null, ...options, headers }),
    board: (choice) => board({ baseUrl: options.baseUrl, apiKey, headers: options.headers, ...choice }),
  };
}
