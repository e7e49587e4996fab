import { wholeNumber } from '../../../../shared/format/number.format';
import { settingsWords } from '../../settings.words';

/** Checks of fields before the server's, in the language of the page. Each answers what is wrong, or null. */
type Check<Value> = (value: Value) => string | null;

/** @param most the server's own bound; it counts characters as people do */
export const filled =
  (most: number): Check<string> =>
  (text) =>
    text.trim() === '' ? settingsWords.say('required') : atMost(most)(text);

export const atMost =
  (most: number): Check<string> =>
  (text) =>
    Array.from(text).length > most ? settingsWords.say('tooLong', { count: most }) : null;

/** @param isOptional null stands for a default of the service */
export const between =
  (min: number, max: number, isOptional = false): Check<number | null> =>
  (number) => {
    if (number === null) return isOptional ? null : settingsWords.say('required');
    return number < min || number > max
      ? settingsWords.say('outOfRange', { min: wholeNumber(min), max: wholeNumber(max) })
      : null;
  };
