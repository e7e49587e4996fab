import type { ServerResponse } from 'node:http';
import type { ProvidedFile } from './file.provider';

const MIB = 1024 * 1024;
const DRIP_MS = 250;

type Fault = (response: ServerResponse, bytes: Buffer) => void;

const half = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length / 2);
const announce = (response: ServerResponse, length: number): ServerResponse =>
  response.writeHead(200, { 'content-length': length });

/** One byte in a quarter of a second. */
export const drips: Fault = (response, bytes) => {
  announce(response, bytes.length);
  let sent = 0;
  const timer = setInterval(() => response.write(bytes.subarray(sent, (sent += 1))), DRIP_MS);
  response.on('close', () => clearInterval(timer));
};

const answers =
  (status: number, headers: Record<string, string> = {}): Fault =>
  (response, bytes) =>
    void response.writeHead(status, headers).end(half(bytes));

/** Sends more than a file may have. */
function pours(response: ServerResponse): void {
  const chunk = Buffer.alloc(MIB, 1);
  let left = 101;
  const pour = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(chunk)) return void response.once('drain', pour);
    }
    response.end();
  };
  pour();
}

/** What a host of files does wrong while it is asked for the bytes, and why they do not come then. */
export const FAULTS_OF_BYTES: Readonly<Record<string, { fault: Fault; reason: RegExp }>> = {
  // Its whole time is over; on a busy machine, where drops come late, the time for one byte may be over first.
  drips: { fault: drips, reason: /broke: (TimeoutError|UND_ERR_BODY_TIMEOUT)$/ },
  'hangs before its answer': { fault: () => undefined, reason: /broke: UND_ERR_HEADERS_TIMEOUT/ },
  'hangs amid its answer': {
    fault: (response, bytes) => announce(response, bytes.length).write(half(bytes)),
    reason: /broke: UND_ERR_BODY_TIMEOUT/,
  },
  'breaks off': {
    fault: (response, bytes) => response.writeHead(200).write(half(bytes), () => response.destroy()),
    reason: /broke: /,
  },
  'announces more than it sends': {
    fault: (response, bytes) =>
      announce(response, bytes.length * 10).write(bytes, () => response.socket?.end()),
    reason: /broke: /,
  },
  'sends a part': {
    fault: answers(206, { 'content-range': 'bytes 0-9/20' }),
    reason: /answered 206/,
  },
  'redirects to itself without end': {
    fault: (response) => void response.writeHead(302, { location: '' }).end(),
    reason: /redirects too often/,
  },
  'redirects to no host': {
    fault: answers(302, { location: 'file:///etc/passwd' }),
    reason: /address is not one that is called/,
  },
  'answers 404': { fault: answers(404), reason: /answered 404/ },
  'answers 429': { fault: answers(429, { 'retry-after': '1' }), reason: /answered 429/ },
  'answers 500': { fault: answers(500), reason: /answered 500/ },
};

/** Files that have more bytes than a file may have. They never come. */
export const TOO_LARGE: Readonly<Record<string, Fault>> = {
  'announces too large a file': (response) => {
    announce(response, 101 * MIB);
    pours(response);
  },
  'sends too large a file unannounced': (response) => {
    response.writeHead(200);
    pours(response);
  },
};

/** Lies of Meta's description of a file. */
export const FALSE_DESCRIPTIONS: Readonly<Record<string, { file: Partial<ProvidedFile>; reason: RegExp }>> = {
  'says too few bytes': { file: { size: 10 }, reason: /another number of bytes/ },
  'says too many bytes': { file: { size: 1_000_000 }, reason: /another number of bytes/ },
  'says bytes where none come': {
    file: { behave: (response) => void response.end() },
    reason: /another number of bytes/,
  },
  'says more bytes than its head announces': {
    file: { behave: (response, { bytes }) => void announce(response, 10).end(bytes.subarray(0, 10)) },
    reason: /another number of bytes/,
  },
  'says another SHA-256': { file: { sha256: 'a'.repeat(64) }, reason: /other bytes than it said/ },
  'says no address': { file: { url: '' }, reason: /address is not one that is called/ },
};

const tells =
  (fault: Fault): NonNullable<ProvidedFile['tell']> =>
  (response, description) =>
    fault(response, Buffer.from(description));

/** What Meta does wrong while it is asked where a file is. */
export const FAULTS_OF_DESCRIPTIONS: Readonly<
  Record<string, { tell: NonNullable<ProvidedFile['tell']>; reason: RegExp }>
> = {
  'drips its description': { tell: tells(drips), reason: /no whole answer/ },
  'hangs before its description': { tell: () => undefined, reason: /no whole answer/ },
  'breaks its description off': {
    tell: tells((response, text) =>
      announce(response, text.length).write(half(text), () => response.destroy()),
    ),
    reason: /no whole answer/,
  },
  'describes in no JSON': { tell: tells(answers(200)), reason: /answered 200/ },
  'describes without an end': { tell: pours, reason: /answered 200/ },
  'answers 404 for a description': { tell: tells(answers(404)), reason: /answered 404/ },
  'answers 429 for a description': { tell: tells(answers(429)), reason: /answered 429/ },
  'answers 500 for a description': { tell: tells(answers(500)), reason: /answered 500/ },
};
