import { randomUUID } from 'node:crypto';
import { request as open, type ClientRequest } from 'node:http';
import type { Answer } from './api.client';

export interface GivenFile {
  bytes: Buffer;
  name?: string;
  type?: string;
}

/** A part of a form as it is written. */
export const partOf = (
  { bytes, name = 'file.bin', type = 'application/octet-stream' }: GivenFile,
  field = 'file',
): Buffer =>
  Buffer.concat([
    Buffer.from(
      `Content-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n'),
  ]);

export const fieldOf = (name: string, value: string): Buffer =>
  Buffer.from(`Content-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);

export interface Form {
  body: Buffer;
  type: string;
}

export function formOf(...parts: Buffer[]): Form {
  const boundary = randomUUID();
  const between = Buffer.from(`--${boundary}\r\n`);
  const body = Buffer.concat([
    ...parts.flatMap((part) => [between, part]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}

/** Uploads as programs do. Bytes that are not taken do not spoil the answer. */
export class UploadClient {
  constructor(
    readonly url: string,
    private readonly headers: Record<string, string>,
  ) {}

  upload(file: GivenFile): Promise<Answer> {
    return this.post(formOf(partOf(file)));
  }

  post({ body, type }: Form, headers: Record<string, string> = {}): Promise<Answer> {
    const { request, answer } = this.begin({
      'content-type': type,
      'content-length': String(body.length),
      ...headers,
    });
    request.end(body);
    return answer;
  }

  /** An upload whose body the caller writes. */
  begin(headers: Record<string, string>): { request: ClientRequest; answer: Promise<Answer> } {
    const request = open(`${this.url}/api/v1/messages/upload-media`, {
      method: 'POST',
      headers: { ...this.headers, ...headers },
      agent: false,
    });
    const answer = new Promise<Answer>((resolve, reject) => {
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const given = Object.entries(response.headers).map(([name, value]): [string, string] => [
            name,
            String(value),
          ]);
          resolve({
            status: response.statusCode ?? 0,
            headers: new Headers(given),
            text,
            body: JSON.parse(text) as Answer['body'],
          });
        });
      });
      request.on('error', reject);
    });
    answer.catch(() => undefined);
    return { request, answer };
  }
}
