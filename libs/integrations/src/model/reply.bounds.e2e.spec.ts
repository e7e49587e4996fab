import { setImmediate } from 'node:timers/promises';
import {
  calling,
  event,
  openStream,
  script,
  words,
} from '../../../../test/support/stand-ins/completion.script';
import { recordingTool, setStandInModel } from '../../../../test/support/stand-ins/model.stand-in';
import type { Behaviour } from '../../../../test/support/stand-ins/provider.stand-in';
import { inTime } from '../../../../test/support/eventually';

/** Drops come every 20 ms: on a busy machine, too, none comes so late that the silence ends what the whole shall end. */
const [FIRST_BYTE_MS, SILENCE_MS, WHOLE_MS] = [1_000, 800, 2_500];
const CLOSED_WITHIN_MS = 300;

const standIn = setStandInModel({ firstByteMs: FIRST_BYTE_MS, silenceMs: SILENCE_MS, wholeMs: WHOLE_MS });

// The first request compiles the code that it runs through, which uses up part of the limits.
beforeAll(() => standIn.ask());

const failed = (reason: RegExp) => ({
  kind: 'failed',
  mayRetry: true,
  reason: expect.stringMatching(reason) as string,
});

describe('an endpoint that takes its time', () => {
  /**
   * @returns the outcome, after checking that it did not come before the limit and that the connection was closed
   * with it
   */
  async function within(limitMs: number, behave: Behaviour) {
    const began = performance.now();
    // A timer counts from the event loop's time, which may be older than the clock's.
    await setImmediate();
    const closed = new Promise<number>((resolve) => {
      standIn.endpoint.behave = (response, request) => {
        response.on('close', () => resolve(performance.now()));
        behave(response, request);
      };
    });
    const outcome = await standIn.ask();
    const ended = performance.now();
    expect(ended - began).toBeGreaterThanOrEqual(limitMs - 5);
    expect((await closed) - ended).toBeLessThan(inTime(CLOSED_WITHIN_MS));
    return outcome;
  }

  it.each([
    ['anything', () => undefined],
    ['the body, after its headers', (response) => openStream(response).flushHeaders()],
  ] satisfies [string, Behaviour][])(
    'before %s is given up in the time for a first byte',
    async (_, behave) => {
      expect(await within(FIRST_BYTE_MS, behave)).toEqual(failed(/sent nothing for 1 seconds/));
    },
  );

  it('in the middle of the stream is given up for its silence', async () => {
    const outcome = await within(SILENCE_MS, (response) => void openStream(response).write(words('It ')));
    expect(outcome).toEqual(failed(/silent/));
  });

  it.each([
    ['text', event({ content: 'a' })],
    ['comments', ': ping\n\n'],
    ['single bytes', 'd'],
  ])('by dripping %s is given up for the whole of it', async (_, drop) => {
    const outcome = await within(WHOLE_MS, (response) => {
      openStream(response);
      const drip = setInterval(() => response.write(drop), 20);
      response.on('close', () => clearInterval(drip));
    });
    expect(outcome).toEqual(failed(/no whole reply within 2.5 seconds/));
  });

  it('in a tool that does not heed its signal is given up for the whole of it', async () => {
    standIn.endpoint.behave = script(calling({ name: 'note', arguments: '{}' }));
    const tool = { ...recordingTool().tool, call: () => new Promise<string>(() => undefined) };
    expect(await standIn.ask({ tools: [tool] })).toEqual(failed(/no whole reply/));
  });
});
