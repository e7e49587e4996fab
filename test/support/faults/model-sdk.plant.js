const Module = require('node:module');

const load = Module._load;
let told = false;

/** Loaded into a server before all else: it says when the SDK of models is loaded. */
Module._load = function (request, ...rest) {
  if (request === 'ai' && !told) {
    told = true;
    process.stdout.write('loads the SDK of models\n');
  }
  return load.call(this, request, ...rest);
};
