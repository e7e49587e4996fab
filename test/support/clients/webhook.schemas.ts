import Ajv from 'ajv/dist/2020';
import { request } from './api.client';

/** What of an event is not as the OpenAPI document of a server describes it. */
export type FaultsOf = (event: { type: string; body: string }) => string[];

/** Reads the part `webhooks` of a server's document. */
export async function webhookSchemas(serverUrl: string): Promise<FaultsOf> {
  const document = JSON.parse((await request(`${serverUrl}/openapi.json`)).text) as object;
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(document, 'document');
  return ({ type, body }) => {
    const pointer = `document#/webhooks/${type}/post/requestBody/content/application~1json/schema`;
    const validate = ajv.getSchema(pointer);
    if (!validate) return [`${type} is not described`];
    if (validate(JSON.parse(body))) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      [type, instancePath, message, JSON.stringify(params)].join(' '),
    );
  };
}
