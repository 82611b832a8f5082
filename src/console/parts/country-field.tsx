// A country, written by its name in the user's language or by its two letters. The browser offers the names.

import { useId, useState, type ComponentProps } from 'react';
import { countriesByName, countryMeant, countryName } from '../i18n/country-name.js';
import { localeOf, useLanguage } from '../i18n/language.js';
import { TextField } from './field.js';

interface CountryFieldProps extends Pick<
  ComponentProps<typeof TextField>,
  'label' | 'hint' | 'error' | 'placeholder' | 'onBlur'
> {
  /** The two letters; a text that means no country stays as it is written, and the API refuses it. */
  value: string;
  onChoose: (code: string) => void;
}

export function CountryField({ value, hint, onChoose, ...rest }: CountryFieldProps) {
  const locale = localeOf[useLanguage()];
  const names = useId();
  const [written, setWritten] = useState<string>();
  const name = countryName(value, locale);
  // Another value than the one that is written was there before, or has come from elsewhere, as by Discard.
  const isWritten = written !== undefined && countryMeant(written, locale) === value;
  const shown = isWritten ? written : (name ?? value);
  return (
    <>
      <TextField
        {...rest}
        value={shown}
        hint={shown === name ? hint : (name ?? hint)}
        list={names}
        maxLength={maxLength}
        autoComplete="off"
        onChange={({ target }) => {
          setWritten(target.value);
          onChoose(countryMeant(target.value, locale));
        }}
      />
      <datalist id={names}>
        {[...countriesByName(locale).keys()].map((each) => (
          <option key={each} value={each} aria-label={each} />
        ))}
      </datalist>
    </>
  );
}

/** In characters: no name is longer. */
const maxLength = 60;
