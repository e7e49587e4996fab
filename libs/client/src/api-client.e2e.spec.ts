import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApi, type Api, type ApiOptions } from './api-client';
import { ApiError } from './api.errors';

let server: Server;
let baseUrl: string;
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

const apiWith = (options: Partial<ApiOptions> = {}): Api =>
  createApi({ baseUrl, csrf: () => null, ...options });

/** Answers every call with this, and keeps what came. */
function answering(status: number, body: string | object, headers: Record<string, string> = {}) {
  const came: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = [];
  answer = (request, response) => {
    came.push(request);
    request.resume().on('end', () => {
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  };
  return came;
}

const failure = (code: string, fields: object = {}, further: object = {}) => ({
  ok: false,
  error: { code, message: 'it says why', request_id: 'of-the-service', status: 422, ...fields },
  ...further,
});

const rejection = (call: Promise<unknown>): Promise<ApiError> =>
  call.then(
    () => Promise.reject(new Error('the call succeeded')),
    (error: ApiError) => error,
  );

describe('a client of the operations', () => {
  it('gives what is in data, and sends the token and an id of its own', async () => {
    const came = answering(200, { ok: true, data: { thread_id: 'thread_1', unread_count: 0 } });
    const call = apiWith({ csrf: () => 'token' }).post('/api/v1/messages/mark-read', {
      body: { thread_id: 'thread_1', up_to: 'message_1' },
    });
    expect(await call).toEqual({ thread_id: 'thread_1', unread_count: 0 });
    expect(came).toHaveLength(1);
    expect(came[0]).toMatchObject({ method: 'POST', url: '/api/v1/messages/mark-read' });
    expect(came[0]?.headers).toMatchObject({ 'x-csrf-token': 'token', 'x-request-id': call.requestId });
  });

  it('sends the id that it is given, and no token with what only reads', async () => {
    const came = answering(200, { ok: true, data: [] });
    await apiWith({ csrf: () => 'token' }).get('/api/v1/auth/sessions', { requestId: 'mine' });
    expect(came[0]?.headers['x-request-id']).toBe('mine');
    expect(came[0]?.headers).not.toHaveProperty('x-csrf-token');
  });

  it('puts path and query in their places', async () => {
    const came = answering(200, { ok: true, data: {} });
    const api = apiWith();
    await api.get('/api/v1/admin/assistants', { params: { query: { limit: 5, cursor: 'a/b' } } });
    await api.delete('/api/v1/auth/sessions/{id}', { params: { path: { id: 'x y' } } });
    expect(came.map(({ url }) => url)).toEqual([
      '/api/v1/admin/assistants?limit=5&cursor=a%2Fb',
      '/api/v1/auth/sessions/x%20y',
    ]);
  });

  it('throws what the service answers about a failure', async () => {
    const details = [{ path: 'limit', message: 'must be a number' }];
    answering(429, failure('RATE_LIMITED', { details }, { provider_response: { odd: 1 } }), {
      'Retry-After': '7',
    });
    const error = await rejection(apiWith().get('/api/v1/auth/me'));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: 'RATE_LIMITED',
      message: 'it says why',
      status: 429,
      requestId: 'of-the-service',
      retryAfter: 7,
      details,
      providerResponse: { odd: 1 },
    });
  });

  it('tells whom it concerns that the session has ended, and not that a password was wrong', async () => {
    const told: string[] = [];
    const api = apiWith({ onUnauthorized: ({ code }) => void told.push(code) });
    answering(401, failure('SIGN_IN_FAILED'));
    await rejection(
      api.post('/api/v1/auth/sign-in', { body: { email: 'a@example.com', password: 'wrong' } }),
    );
    expect(told).toEqual([]);
    answering(401, failure('UNAUTHORIZED'));
    await rejection(api.get('/api/v1/auth/me'));
    expect(told).toEqual(['UNAUTHORIZED']);
  });

  it('throws NETWORK when no answer comes, or a part of one', async () => {
    answer = (_request, response) => response.destroy();
    const call = apiWith().get('/api/v1/auth/me');
    expect(await rejection(call)).toMatchObject({ code: 'NETWORK', status: 0, requestId: call.requestId });
    answer = (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
      response.write('{"ok":', () => response.destroy());
    };
    expect(await rejection(apiWith().get('/api/v1/auth/me'))).toMatchObject({ code: 'NETWORK', status: 0 });
  });

  it.each([
    [200, '<html>'],
    [200, 'null'],
    [502, '<html>Bad gateway'],
    [503, ''],
    [500, '{"error": "another form"}'],
  ])('throws NOT_JSON for an answer %d of a proxy: %s', async (status, body) => {
    answering(status, body, { 'Content-Type': 'text/html' });
    expect(await rejection(apiWith().get('/api/v1/auth/me'))).toMatchObject({ code: 'NOT_JSON', status });
  });

  it('leaves a call that its signal ends as the signal says', async () => {
    const abort = new AbortController();
    answer = (_request, response) => {
      abort.abort();
      response.end();
    };
    const error = await rejection(apiWith().get('/api/v1/auth/me', { signal: abort.signal }));
    expect(error.name).toBe('AbortError');
  });

  it('sends a file as a form, and gives a file as it is', async () => {
    const came = answering(200, { ok: true, data: { id: 'media_1' } });
    const body = new FormData();
    body.append('file', new Blob(['text']), 'name.txt');
    await apiWith().post('/api/v1/messages/upload-media', { body });
    expect(came[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    answering(200, '{"a":1}\n{"b":2}\n', { 'Content-Type': 'application/x-ndjson' });
    const call = { params: { path: { id: 'thread_1' } } };
    const file = await apiWith().file('post', '/api/v1/admin/threads/{id}/export', call);
    expect(await file.text()).toBe('{"a":1}\n{"b":2}\n');
  });
});
