import type { ServerResponse } from 'node:http';

/** A name or an address, with or without a port. Anything else could end the policy and begin another one. */
const HOST = /^(?:[a-z\d](?:[a-z\d._-]{0,252}[a-z\d])?|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Where the page's sockets are. Safari takes 'self' for http and https only. */
function socketsOf(host: string | undefined, isSecure: boolean): string[] {
  if (host === undefined || !HOST.test(host)) return [];
  // To browsers ws means wss too. The proxy may speak TLS without PUBLIC_URL saying so.
  return [`${isSecure ? 'wss' : 'ws'}://${host}`];
}

function contentPolicy(nonce: string, host: string | undefined, isSecure: boolean): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...socketsOf(host, isSecure)].join(' '),
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; ');
}

/** What browsers could give to a page, and this one never asks for. */
const DENIED = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
];

const PERMISSIONS = DENIED.map((feature) => `${feature}=()`).join(', ');

export interface PageRequest {
  /** Of the answer, which the styles that libraries write must carry. */
  nonce: string;
  /** As the browser wrote it. */
  host: string | undefined;
  /** Whether the service is behind https. */
  isSecure: boolean;
}

/** The headers of the page, besides those of every answer. */
export function setPageHeaders(response: ServerResponse, { nonce, host, isSecure }: PageRequest): void {
  response.setHeader('Content-Security-Policy', contentPolicy(nonce, host, isSecure));
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('Permissions-Policy', PERMISSIONS);
}
