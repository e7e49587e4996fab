import { cutAtSentence, ReplyDraft } from './reply-draft';
import { processorMsOf } from '../../../../test/support/processor.time';

describe('a text that was stopped', () => {
  it.each([
    ['One. Two. Thr', 13, 'One. Two.'],
    ['Yes! "Really?" he sa', 20, 'Yes! "Really?"'],
    ['Мы открыты до 18.30 и ждём ва', 29, 'Мы открыты до 18.30 и ждём'],
    ['First line\nsecond li', 20, 'First line'],
    ['Ok. A long sentence without an end', 30, 'Ok. A long sentence without an'],
    ['Ok. A long sentence without an end', 28, 'Ok. A long sentence without'],
    ['One. Two.', 9, 'One. Two.'],
    ['One. Two and more', 8, 'One.'],
    ['nowhitespaceatall', 5, 'nowhi'],
    ['1234😀', 5, '1234'],
    ['   ', 2, ''],
    ['', 5, ''],
  ])('%j of at most %d characters becomes %j', (text, most, cut) => {
    expect(cutAtSentence(text, most)).toBe(cut);
  });

  it('of any size is cut in no time', () => {
    const tookMs = processorMsOf(() => {
      for (const piece of ['a', ' ', '.', '. ', '\n', '"', 'a"'])
        cutAtSentence(piece.repeat(200_000), 100_000);
    });
    expect(tookMs).toBeLessThan(2_000);
  });
});

describe('a draft', () => {
  const draftOf = (...steps: string[]): ReplyDraft => {
    const draft = new ReplyDraft(20);
    for (const step of steps) {
      draft.beginStep();
      draft.write(step);
    }
    return draft;
  };

  it.each([
    [['One moment.', 'It is free.'], true, 'It is free.'],
    [['It is noted.', ' \n'], true, 'It is noted.'],
    [['One moment.', ''], false, ''],
    [[], true, ''],
  ])('of the steps %j, whole: %j, is the reply %j', (steps, isWhole, reply) => {
    expect(draftOf(...steps).finish(isWhole)).toBe(reply);
  });

  it('that is longer than its characters is cut', () => {
    expect(draftOf('One moment. It is free.').finish(true)).toBe('One moment.');
  });
});
