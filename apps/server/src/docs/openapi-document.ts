import type { INestApplication } from '@nestjs/common';
import * as library from '@nestjs/swagger';
import { CSRF_TOKEN, SESSION } from '../http/docs/access-documentation';
import { tellOptionalBodies } from '../http/docs/documented.decorator';
import { FAILURE_SCHEMA } from '../http/docs/failure-schema';
import { applyDocumentation } from '../http/docs/openapi.decorator';
import { SessionCookie } from '../http/auth/session-cookie';
import { WEBHOOKS } from './webhook-documentation';

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Says of a document written for OpenAPI 3.0 the same in the words of OpenAPI 3.1, which are those of JSON Schema: what may be null
 * has null among its types. Library and decorators know the older word alone.
 */
function toJsonSchema<T>(value: T): T {
  if (Array.isArray(value)) return value.map(toJsonSchema) as T;
  if (!isNode(value)) return value;
  const node = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toJsonSchema(inner)]));
  return (node.nullable === true ? withNull(node) : node) as T;
}

function withNull({ nullable: _, ...node }: Node): Node {
  const { allOf, type, enum: words, ...others } = node;
  // A named schema is written once for all its uses, so null stands beside it.
  if (Array.isArray(allOf)) return { ...others, anyOf: [...(allOf as unknown[]), { type: 'null' }] };
  if (Array.isArray(node.oneOf)) {
    const { description, ...choice } = node;
    return { description, anyOf: [choice, { type: 'null' }] };
  }
  return {
    ...node,
    ...(typeof type === 'string' && { type: [type, 'null'] }),
    ...(Array.isArray(words) && { enum: [...new Set([...(words as unknown[]), null])] }),
  };
}

const DESCRIPTION = `Sends template messages and free text over WhatsApp and tells what became of them, keeps each dialog's place in a
sales funnel, and switches the AI agent on and off in one dialog.

Success is \`{ "ok": true, "data": … }\`; a failure is \`{ "ok": false, "error": { "code", "message", "status", "request_id" } }\`.
Every code, its cause and what to do stand in \`docs/integrators/errors.md\` of the source, beside the other pages for those
who connect a system or run the service.

Two counters run per API key, for lead operations and for everything else, and one per person, over any 60 seconds. Most
operations are called by a key (\`X-API-Key\`) or by a person's session (cookie and \`X-CSRF-Token\`), never by both at once. Live boards speak Socket.IO in
the namespace \`/board\`; see the documentation for integrators.`;

const SESSION_DESCRIPTION =
  'The session of a person: the cookie that auth/sign-in sets. Pages of this service send it by themselves.';
const CSRF_DESCRIPTION =
  'The `csrf_token` that auth/sign-in and auth/me answer. Each call by a session but GET needs it.';

/** The OpenAPI document of everything that exists. */
export function buildOpenApiDocument(app: INestApplication): library.OpenAPIObject {
  applyDocumentation(library);
  const key = { type: 'apiKey' as const, in: 'header' as const, name: 'X-API-Key' };
  const config = new library.DocumentBuilder()
    .setTitle('Leadline')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/')
    .addTag('Leads', 'Funnels, and where leads stand in them')
    .addTag('Messages', 'What is sent, by which templates, and what became of it')
    .addTag('Dialogs', 'Which dialogs there are, and what was said in them')
    .addTag('Admin: accounts', 'Businesses, each invisible to every other, and their quotas')
    .addTag('Admin: API keys', 'Who may call what')
    .addTag('Admin: agents', 'What agents are told, their model and their limits')
    .addTag('Admin: scenarios', 'What happens to leads that enter a stage, and what became of it')
    .addTag('Admin: stages', 'Stages of funnels, what the agent may do there, and their rules')
    .addTag('Admin: tools', 'Addresses of yours that an agent may call')
    .addTag('Admin: bots', 'Who speaks for an agent, and by which numbers')
    .addTag('Admin: templates', 'The registry of templates, and their moderation')
    .addTag('Admin: webhooks', 'What messengers reported that could not be taken in')
    .addTag('Admin: webhooks out', 'Addresses of yours to which events go, and what became of them')
    .addTag('Admin: work', 'How much is due, of all accounts')
    .addTag('Admin: audit', 'Who changed what, who signed in, and what was refused')
    .addTag(
      'Admin: privacy',
      'What customers may ask for: to be shown what is kept of them, and to be erased',
    )
    .addTag('Admin: people', 'Who works in an account, and what they may do')
    .addTag('Sign-in', 'Sessions of people, their passwords and second factors')
    .addTag('Health', 'For the people and machines that run the service')
    .addApiKey({ ...key, description: 'A key of an account' }, 'ApiKey')
    .addApiKey({ ...key, description: 'An admin key, which governs all accounts' }, 'AdminKey')
    .addApiKey(
      { type: 'apiKey', in: 'cookie', name: app.get(SessionCookie).name, description: SESSION_DESCRIPTION },
      SESSION,
    )
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-CSRF-Token', description: CSRF_DESCRIPTION },
      CSRF_TOKEN,
    )
    .build();
  const document = library.SwaggerModule.createDocument(app, config, {
    operationIdFactory: (_controller, method) => method,
  });
  tellOptionalBodies(document);
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, Failure: FAILURE_SCHEMA },
  };
  return { ...toJsonSchema(document), ...{ openapi: '3.1.0', webhooks: WEBHOOKS } };
}
