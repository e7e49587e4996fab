import decodeAmr from '@audio/decode-amr';
import decodeMp4 from '@audio/decode-mp4';
import decodeOpus from '@audio/decode-opus';

/** The endings that OpenAI's endpoint takes. It judges by them before it looks at bytes. */
const ENDINGS = new Set(['flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'mpga', 'oga', 'ogg', 'wav', 'webm']);

/** What begins so, from this byte on. */
const DECODERS = [
  [0, 'OggS', decodeOpus],
  [4, 'ftyp', decodeMp4],
  [0, '#!AMR', decodeAmr],
];

export class UnsupportedFileError extends Error {}

/**
 * The sound of a file, in one channel.
 * @param rate samples a second
 * @throws UnsupportedFileError
 */
export async function samplesOf(name, bytes, rate) {
  if (!ENDINGS.has(name.split('.').at(-1))) throw new UnsupportedFileError(`Invalid file format: ${name}`);
  const decode = DECODERS.find(
    ([at, start]) => bytes.toString('latin1', at, at + start.length) === start,
  )?.[2];
  if (!decode) throw new UnsupportedFileError('Audio file might be corrupted or unsupported');
  const { channelData, sampleRate } = await decode(bytes);
  return resampled(channelData[0], sampleRate, rate);
}

/** Between two samples by a line; of many, their mean. */
function resampled(samples, from, to) {
  const step = from / to;
  return Float32Array.from({ length: Math.floor(samples.length / step) }, (_, index) => {
    const at = index * step;
    if (step > 1) return meanOf(samples.subarray(Math.floor(at), Math.floor(at + step)));
    const before = Math.floor(at);
    const [left = 0, right = left] = samples.subarray(before, before + 2);
    return left + (right - left) * (at - before);
  });
}

const meanOf = (samples) => samples.reduce((sum, each) => sum + each, 0) / Math.max(samples.length, 1);
