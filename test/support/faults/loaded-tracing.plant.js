const Module = require('node:module');
const { expectMembers } = require('./plant.guard');

expectMembers(Module, 'function', '_load');

const load = Module._load;

/** Loads the API by itself, for exemplars, traced or not. */
const METRICS = /[\\/]prom-client[\\/]/;

/** Loaded into a server before all else: it says when we, or a module of OpenTelemetry, load one of OpenTelemetry. */
Module._load = function (request, ...rest) {
  if (request.startsWith('@opentelemetry/') && !METRICS.test(rest[0]?.filename ?? ''))
    process.stderr.write(`loaded ${request}\n`);
  return load.call(this, request, ...rest);
};
