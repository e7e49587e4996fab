import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { samplesOf, UnsupportedFileError } from './audio.decoding.mjs';
import { RATE, SpeechModel } from './speech.model.mjs';

/** A model that hears, behind OpenAI's `POST /v1/audio/transcriptions`. It says where it listens when it is ready. */
const model = await SpeechModel.open();

async function transcriptOf(request) {
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const form = await new Response(await buffer(request), { headers }).formData();
  const file = form.get('file');
  const samples = await samplesOf(file.name, Buffer.from(await file.arrayBuffer()), RATE);
  const text = await model.hear(samples);
  return form.get('response_format') === 'verbose_json'
    ? { task: 'transcribe', language: 'english', duration: samples.length / RATE, text }
    : { text };
}

const server = createServer(async (request, response) => {
  const say = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (request.method !== 'POST' || request.url !== '/v1/audio/transcriptions') return say(404, {});
  try {
    say(200, await transcriptOf(request));
  } catch (error) {
    say(error instanceof UnsupportedFileError ? 400 : 500, { error: { message: error.message } });
  }
});

server.listen(0, '127.0.0.1');
await once(server, 'listening');
console.log(`hears on http://127.0.0.1:${server.address().port}/v1`);
