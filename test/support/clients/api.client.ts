export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed envelope. */
  body: {
    ok: boolean;
    data: any;
    provider_response?: any;
    error: {
      code: string;
      message: string;
      status: number;
      request_id: string;
      details?: { path: string; message: string }[];
    };
  };
  text: string;
}

export interface RawRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | FormData;
}

/** One HTTP request as it is, with a deadline. */
export async function request(
  url: string,
  { method = 'GET', headers = {}, body }: RawRequest = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers,
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text ? JSON.parse(text) : {},
  };
}

/** The operations of the public API, as an integrator calls them: a verb an operation, each with its body. */
export class ApiClient {
  constructor(
    readonly url: string,
    readonly key: string,
  ) {}

  call(path: string, body: unknown, method = 'POST', headers: Record<string, string> = {}): Promise<Answer> {
    return request(`${this.url}/api/v1/${path}`, {
      method,
      headers: { 'X-API-Key': this.key, 'Content-Type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  }

  getStatuses = (body: object = {}) => this.call('leads/get-statuses', body);
  getLead = (threadId: string) => this.call('leads/get-lead', { thread_id: threadId });
  setStatus = (body: object) => this.call('leads/set-status', body);
  setStatusBulk = (body: object) => this.call('leads/set-status-bulk', body);
  setAi = (threadId: string, aiEnabled: unknown) =>
    this.call('leads/set-ai', { thread_id: threadId, ai_enabled: aiEnabled });
  setName = (threadId: string, name: unknown) => this.call('leads/set-name', { thread_id: threadId, name });
  assign = (threadId: string, userId: unknown) =>
    this.call('leads/assign', { thread_id: threadId, user_id: userId });
  clearAttention = (threadId: string) => this.call('leads/clear-attention', { thread_id: threadId });
  getHistory = (body: object) => this.call('leads/get-history', body);
  sendTemplate = (body: object, headers: Record<string, string> = {}) =>
    this.call('messages/send-template', body, 'POST', headers);
  sendText = (threadId: string, text: unknown) =>
    this.call('messages/send-text', { thread_id: threadId, text });
  sendFile = (threadId: string, mediaId: unknown, text?: unknown) =>
    this.call('messages/send-text', { thread_id: threadId, media_id: mediaId, text });
  requestPhone = (threadId: string, text?: unknown) =>
    this.call('messages/request-phone', { thread_id: threadId, text });
  getBatch = (batchId: string) => this.call('messages/get-batch', { batch_id: batchId });
  getMessage = (id: string) => this.call('messages/get-message', { id });
  settleMessage = (id: string, outcome: unknown) => this.call('messages/settle-message', { id, outcome });
  markRead = (body: object) => this.call('messages/mark-read', body);
  addNote = (threadId: string, text: unknown) =>
    this.call('messages/add-note', { thread_id: threadId, text });
  getMessages = (body: object) => this.call('messages/get-messages', body);
  getThreads = (body: object = {}) => this.call('messages/get-threads', body);
  admin = (method: string, path: string, body?: object) => this.call(`admin/${path}`, body, method);
}
