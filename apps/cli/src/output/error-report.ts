import { ApiError } from '@app/client/api.errors';
import { EXIT, InterruptedError, RefusedError, UnfinishedError, UsageError } from '../cli.errors';
import { safeJson, safeText } from './terminal-output';

interface Violation {
  path?: unknown;
  message?: unknown;
}

/** Below what failed, such as ECONNREFUSED. */
function causeOf(error: Error): string | null {
  let code: string | null = null;
  for (let at: unknown = error.cause; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') code = at.code;
  }
  return code;
}

const isUsage = (error: Error): boolean => error instanceof UsageError;

/** How a command ends that met this. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UnfinishedError) return exitCodeOf(error.failure);
  if (error instanceof Error && isUsage(error)) return EXIT.usage;
  return error instanceof InterruptedError ? EXIT.interrupted : EXIT.refused;
}

function violationsOf({ details }: ApiError): string[] {
  if (!Array.isArray(details)) return [];
  return (details as Violation[]).map(({ path, message }) => `  ${String(path)}: ${String(message)}`);
}

function linesOf(error: unknown, url: string): string[] {
  if (!(error instanceof Error)) return [`Error: ${String(error)}`];
  if (error instanceof UnfinishedError) return linesOf(error.failure, url);
  if (error instanceof InterruptedError) return [error.message];
  if (isUsage(error)) return [...error.message.split('\n'), 'See leadline --help, or leadline <verb> --help'];
  if (error instanceof RefusedError) return [`Error: ${error.message}`];
  if (!(error instanceof ApiError)) return [`Error: ${error.message}`];
  const { code, message, requestId, retryAfter, status } = error;
  const cause = causeOf(error);
  const lines = [`Error: ${code}: ${message}`, ...violationsOf(error)];
  if (code === 'NETWORK')
    lines.push(`  at ${url}${cause === null ? '' : ` (${cause})`}: is it there? LEADLINE_URL says where`);
  if (code === 'NOT_JSON')
    lines.push(`  at ${url}, with HTTP ${status}: is LEADLINE_URL the service's own address?`);
  if (retryAfter !== undefined) lines.push(`  Try again in ${retryAfter} s`);
  return [...lines, `  Request id: ${requestId}`];
}

/** The envelope of a failure, for programs. */
function envelopeOf(error: unknown): object {
  if (error instanceof UnfinishedError) return { ...envelopeOf(error.failure), ...error.done };
  if (!(error instanceof ApiError)) {
    const code = error instanceof Error && isUsage(error) ? 'USAGE' : 'REFUSED';
    return { ok: false, error: { code, message: error instanceof Error ? error.message : String(error) } };
  }
  const { code, message, status, requestId, retryAfter, details, providerResponse } = error;
  return {
    ok: false,
    error: {
      ...{ code, message, status, request_id: requestId },
      ...(retryAfter !== undefined && { retry_after: retryAfter }),
      ...(details !== undefined && { details }),
    },
    ...(providerResponse !== undefined && { provider_response: providerResponse }),
  };
}

/** What is written to stderr of a command that failed. */
export const reportOf = (error: unknown, url: string, isJson: boolean): string =>
  isJson
    ? `${safeJson(envelopeOf(error))}\n`
    : linesOf(error, url)
        .map((line) => `${safeText(line)}\n`)
        .join('');
