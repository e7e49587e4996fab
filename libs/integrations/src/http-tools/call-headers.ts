import { violationOfHeader } from '@app/domain/assistants/http-tool.port';

const USER_AGENT = 'Leadline-Tools/1';

type Headers = Readonly<Record<string, string>>;

/** Whether all of these may be sent. */
export const areSent = (headers: Headers): boolean =>
  Object.entries(headers).every(([name, value]) => violationOfHeader(name, value) === null);

/** These and our own, as undici takes them. */
export const sentHeaders = (headers: Headers, hasJson: boolean): string[] => [
  ...Object.entries(headers).flat(),
  ...['user-agent', USER_AGENT, 'accept-encoding', 'identity'],
  ...(hasJson ? ['content-type', 'application/json'] : []),
];
