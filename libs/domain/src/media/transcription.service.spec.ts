import { Readable } from 'node:stream';
import type { ClaimedAudio, TranscriptEnd } from '@app/persistence/messages/dialog/transcript.repository';
import { Transcriber, type Recording, type Transcript } from './transcriber.port';
import { Transcription } from './transcription.service';

const MIB = 1024 * 1024;
const NOTE = Buffer.from('OggS');

/** Hears the same in everything, and keeps what it was asked for. */
class Hearing extends Transcriber {
  readonly isOn = true;
  readonly asked: Recording[] = [];

  constructor(private readonly text: string) {
    super();
  }

  async transcribe(recording: Recording): Promise<Transcript> {
    this.asked.push(recording);
    return { text: this.text, language: 'en' };
  }
}

/** What becomes of a voice note, and what was asked for. */
async function endOf(
  audio: Partial<ClaimedAudio>,
  text = 'Two boxes',
): Promise<{ end?: TranscriptEnd; asked: Recording[] }> {
  const ends: TranscriptEnd[] = [];
  const claimed: ClaimedAudio = {
    ...{ kind: 'voice', mime_type: 'audio/ogg', size: NOTE.length, seconds: 4, sha256: '' },
    ...{ transcript_failures: 0, is_wanted: true, ...audio },
  };
  const transcripts = {
    claim: async () => claimed,
    renew: async () => true,
    end: async (_: object, end: TranscriptEnd) => ends.push(end) > 0,
  };
  const store = { open: async () => Readable.from([NOTE]) };
  const hearing = new Hearing(text);
  const events = { notify: () => undefined };
  const transcription = new Transcription(transcripts as never, hearing, store as never, events as never);
  await transcription.transcribe('account', 'media', new AbortController().signal);
  expect(ends).toHaveLength(1);
  return { end: ends[0], asked: hearing.asked };
}

it.each<[string, Partial<ClaimedAudio>]>([
  ['as it was recorded', {}],
  ['of 25 MiB', { size: 25 * MIB }],
  ['of half an hour', { seconds: 1_800 }],
  ['of unknown length', { seconds: null }],
])('a voice note %s is transcribed', async (_, audio) => {
  const { end, asked } = await endOf(audio);
  expect(end).toMatchObject({ state: 'ready', text: 'Two boxes', language: 'en', line: '🎤 Two boxes' });
  expect(asked).toMatchObject([{ mimeType: 'audio/ogg', size: audio.size ?? NOTE.length }]);
});

it.each<[string, Partial<ClaimedAudio>]>([
  ['a byte more than 25 MiB', { size: 25 * MIB + 1 }],
  ['a second more than half an hour', { seconds: 1_801 }],
])('of a voice note of %s there is no transcript, and nobody is asked', async (_, audio) => {
  expect(await endOf(audio)).toEqual({
    end: { state: 'none', reason: 'it is too large or too long' },
    asked: [],
  });
});

it('of a voice note in which nothing is said there is none', async () => {
  const { end, asked } = await endOf({}, '');
  expect([end, asked.length]).toEqual([{ state: 'none', reason: 'nothing is said in it' }, 1]);
});
