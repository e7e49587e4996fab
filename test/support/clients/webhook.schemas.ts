import Ajv from 'ajv/dist/2020';
import { request } from './api.client';

/** What of an event is not as an OpenAPI document describes it. */
export type FaultsOf = (event: { type: string; body: string }) => string[];

/** The document allows further fields, so that receivers skip them. What is sent now has no field that it does not name. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const all = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return 'properties' in all ? { additionalProperties: false, ...all } : all;
}

/** By the part `webhooks` of a document. A field that it does not name is a fault. */
export function webhookSchemasOf(document: object): FaultsOf {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(closed(document) as object, 'document');
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

/** By the document of a server. */
export const webhookSchemas = async (serverUrl: string): Promise<FaultsOf> =>
  webhookSchemasOf(JSON.parse((await request(`${serverUrl}/openapi.json`)).text) as object);
