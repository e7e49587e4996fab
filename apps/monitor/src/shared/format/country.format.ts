import { COUNTRIES } from '@app/contracts/phone.words';
import { presentLanguage } from '../words/language.store';

/** All countries by their names in the language of the page, for a `Select`. */
export function countryChoices(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(presentLanguage(), { type: 'region' });
  return COUNTRIES.map((value) => ({ value, label: names.of(value) ?? value })).sort((one, other) =>
    one.label.localeCompare(other.label, presentLanguage()),
  );
}
