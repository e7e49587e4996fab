import { URL_LONGEST } from '@app/contracts/tool.words';
import { HTTP_METHODS, type HttpStep, type StoredStep } from '@app/contracts/scenario.words';
import { isObject } from '@app/contracts/json-object';
import { violationsOfHeaders } from '../../assistants/tool.rules';
import { CALL_HEADERS } from '../effects/signed-call';
import { type Decision, type StepKindRules, type StepMoment, renderedDeep } from './step-decision';
import { oneOf, optional, violation, type FieldCheck, type StepFields } from './step-fields';
import { violationsDeep } from './step-variables';

const BODY_BYTES_MAX = 65_536;
/** Set by the service itself for each call. */
const OWN_HEADERS: readonly string[] = Object.values(CALL_HEADERS);

/** Called as it is saved. What differs from lead to lead goes into the body. */
const urlOf: FieldCheck = (value, path, { violationOfUrl }) => {
  if (value === undefined) return violation(path, 'is required, and must be an https address');
  if (typeof value !== 'string' || value === '' || value.length > URL_LONGEST) {
    return violation(path, `must be a non-empty string of at most ${URL_LONGEST} characters`);
  }
  if (value.includes('{{')) return violation(path, 'must have no variables: put them into the body');
  const message = violationOfUrl(value);
  return message === null ? [] : violation(path, message);
};

/** Null keeps the value that a header has. It is replaced before the headers are sealed. */
const headersOf: FieldCheck = (value, path) => {
  if (!isObject(value)) return violation(path, 'must be an object of names and values');
  const own = Object.keys(value).filter((name) => OWN_HEADERS.includes(name.toLowerCase()));
  const given = Object.fromEntries(
    Object.entries(value).map(([name, header]) => [name, header === null ? 'kept' : header]),
  );
  return [
    ...own.flatMap((name) => violation(`${path}.${name}`, 'is set by the service itself: leave it out')),
    ...violationsOfHeaders(given).map((each) => ({
      ...each,
      path: path + each.path.slice('headers'.length),
    })),
  ];
};

const bodyOf: FieldCheck = (value, path, { step }) => {
  if (step.method === 'GET') return violation(path, 'must be absent with GET');
  if (JSON.stringify(value).length > BODY_BYTES_MAX) {
    return violation(path, `must be at most ${BODY_BYTES_MAX} characters of JSON`);
  }
  return violationsDeep(value, path);
};

type StoredHttpStep = Extract<StoredStep, { kind: 'http' }>;

/** Calls an address outside, at least once. */
export class HttpRules implements StepKindRules<StoredHttpStep> {
  readonly kind = 'http';
  readonly fields: StepFields<HttpStep> = {
    method: oneOf(HTTP_METHODS),
    url: urlOf,
    headers: optional(headersOf),
    body: optional(bodyOf),
  };

  decide(step: StoredHttpStep, at: StepMoment): Decision {
    const body = renderedDeep(step.body, at);
    if ('failed' in body) return { kind: 'failed', error: body.failed };
    return { kind: 'errand', order: { kind: 'call', step, body: body.value } };
  }
}
